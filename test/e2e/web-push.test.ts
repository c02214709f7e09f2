// Web push as a whole, without a network: the page subscribes, the server encrypts, a push service on loopback decrypts,
// Chromium delivers, the real worker shows; and a subscription that is gone is forgotten.

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'

import type { Browser, BrowserContext, CDPSession, Locator, Page } from 'playwright-core'

import { pushService, type PushService } from '../channels/push/push-service.ts'
import { until } from '../support/process.ts'
import { TLS } from '../support/tls.ts'
import { CLIENT, toUserHash, openBrowser, openSite, createUserId, type Site } from './site.ts'

let browser: Browser
let service: PushService
let site: Site
const folder = mkdtempSync(join(tmpdir(), 'notif-push-'))

before(async () => {
  const authorities = join(folder, 'peer.pem')
  writeFileSync(authorities, TLS.cert)
  service = await pushService()
  site = await openSite({
    NODE_EXTRA_CA_CERTS: authorities,
    NOTIF_ALLOW_PRIVATE: '127.0.0.0/8',
    NOTIF_WEB_PUSH: '1',
    NOTIF_WEB_PUSH_HOSTS: 'localhost,127.0.0.1'
  })
  // Otherwise Chromium refuses sockets to this machine from a page that a test answers.
  browser = await openBrowser({ args: ['--no-sandbox', '--disable-features=LocalNetworkAccessChecks'] })
})
after(async () => {
  await browser?.close()
  await site?.[Symbol.asyncDispose]()
  await service?.[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true })
})

interface Shown {
  readonly title: string
  readonly body: string
  readonly tag: string
  readonly data: unknown
}

const shownOn = (page: Page): Promise<Shown[]> =>
  page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready
    const shown = await registration.getNotifications()
    return shown.map(({ body, data, tag, title }) => ({ body, data: data as unknown, tag, title }))
  })

/** A browser with its permission, whose subscriptions lead to the push service here. */
async function visitor(userId: string, permission = true): Promise<{ context: BrowserContext; page: Page }> {
  const context = await browser.newContext()
  if (permission) await context.grantPermissions(['notifications'], { origin: site.base })
  // Chromium would register with Google.
  await context.addInitScript(
    subscription => {
      PushManager.prototype.getSubscription = async () => null
      PushManager.prototype.subscribe = async options => {
        const key = options?.applicationServerKey as Uint8Array
        if (key.length !== 65 || options?.userVisibleOnly !== true) throw new TypeError('Not these options.')
        return { ...subscription, options, toJSON: () => subscription } as unknown as PushSubscription
      }
    },
    service.subscription(`/${userId}`)
  )
  const page = await context.newPage()
  page.setDefaultTimeout(15_000)
  await page.goto(`${site.base}/healthz`)
  return { context, page }
}

interface Globals {
  pushedTags: string[]
}

/** Collects what the worker reports from now on. */
const collectPushes = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const pushedTags: string[] = []
    Object.assign(globalThis, { pushedTags })
    navigator.serviceWorker.addEventListener(
      'message',
      ({ data }: MessageEvent<{ type: string; tag: string }>) => {
        if (data.type === 'notif-push') pushedTags.push(data.tag)
      }
    )
  })

/**
 * Waits until the worker reports the push. The browser is not asked for its notifications meanwhile: each call makes Chromium forget
 * those that are stored and not yet displayed.
 */
const waitForPush = (page: Page, tag: string): Promise<unknown> =>
  page.waitForFunction(tag => (globalThis as unknown as Globals).pushedTags.includes(tag), tag, {
    timeout: 30_000
  })

const answerOn = (page: Page, userId: string, on: boolean, path?: string): Promise<string> =>
  page.evaluate(
    async ({ base, clientId, hash, on, path, userId }) => {
      const kit = (await import(`${base}/notif.js`)) as {
        configure(config: object): Promise<{ setWebPushOptIn(on: boolean): Promise<void> }>
      }
      const store = await kit.configure({ clientId, customServiceWorkerPath: path, userHash: hash, userId })
      return store.setWebPushOptIn(on).then(
        () => 'done',
        (error: unknown) => String(error)
      )
    },
    { base: site.base, clientId: CLIENT, hash: toUserHash(userId), on, path, userId }
  )

const tokensOf = async (userId: string): Promise<{ sub: { endpoint: string } }[]> => {
  const authorization = `Basic ${Buffer.from(`${CLIENT}:${userId}:${toUserHash(userId)}`).toString('base64')}`
  const answer = await fetch(`${site.base}/${CLIENT}/users/${userId}`, { headers: { authorization } })
  return ((await answer.json()) as { webPushTokens?: { sub: { endpoint: string } }[] }).webPushTokens ?? []
}

const push = async (userId: string, title: string): Promise<string> => {
  const answer = await site.post(`/${CLIENT}/sender`, {
    to: { id: userId },
    type: 'news_push',
    web_push: { message: 'Grüße vom Pier 🚢', title, url: '/trips/4' }
  })
  assert.equal(answer.status, 200, await answer.clone().text())
  return ((await answer.json()) as { trackingId: string }).trackingId
}

async function deliverer(context: BrowserContext, page: Page): Promise<CDPSession> {
  const cdp = await context.newCDPSession(page)
  const ids = new Map<string, string>()
  cdp.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
    for (const { registrationId, scopeURL } of registrations) ids.set(scopeURL, registrationId)
  })
  await cdp.send('ServiceWorker.enable')
  await until(() => ids.has(`${site.base}/`), 'the worker is registered')
  await collectPushes(page)
  service.onMessage = async data => {
    const registrationId = ids.get(`${site.base}/`)!
    await cdp.send('ServiceWorker.deliverPushMessage', { data, origin: site.base, registrationId })
  }
  return cdp
}

test(
  'from the yes of a person to the notification, and to the end of the subscription',
  { timeout: 90_000 },
  async () => {
    const user = createUserId()
    const { context, page } = await visitor(user)
    assert.equal(await answerOn(page, user, true), 'done')
    assert.equal(await page.evaluate(() => localStorage.getItem('hideWebPushOptInMessage')), 'true')
    const { endpoint } = service.subscription(`/${user}`)
    assert.deepEqual(
      (await tokensOf(user)).map(({ sub }) => sub.endpoint),
      [endpoint]
    )

    await deliverer(context, page)
    // The worker informs pages about its notifications.
    const heard = page.evaluate(
      () =>
        new Promise(resolve =>
          navigator.serviceWorker.addEventListener('message', event => resolve(event.data), { once: true })
        )
    )
    const trackingId = await push(user, 'Boarding')
    assert.deepEqual(await heard, { tag: trackingId, type: 'notif-push' })
    assert.deepEqual(await shownOn(page), [
      { body: 'Grüße vom Pier 🚢', data: { url: '/trips/4' }, tag: trackingId, title: 'Boarding' }
    ])

    service.answers.set(`/${user}`, 410)
    await push(user, 'Too late')
    await until(async () => (await tokensOf(user)).length === 0, 'the subscription is forgotten')
    const again = await site.post(`/${CLIENT}/sender`, {
      to: { id: user },
      type: 'news_push',
      web_push: { message: 'm', title: 't' }
    })
    assert.equal(again.status, 202)
    assert.match(JSON.stringify(await again.json()), /no browser with push messages/)
    await context.close()
  }
)

test(
  'a subscription that the browser replaces is told, at once or by the next page',
  { timeout: 90_000 },
  async () => {
    const user = createUserId()
    const { context, page } = await visitor(user)
    assert.equal(await answerOn(page, user, true), 'done')
    // Two sign-ins on one page send the subscription once.
    assert.equal(await answerOn(page, user, true), 'done')
    const told: string[] = []
    page.on('request', request => told.push(request.postData() ?? ''))
    const endpoints = async () => (await tokensOf(user)).map(({ sub }) => sub.endpoint)
    const given = (path: string) => service.subscription(path)
    const replaceBy = (subscription: ReturnType<typeof given>) => {
      PushManager.prototype.getSubscription = async () =>
        ({ ...subscription, toJSON: () => subscription }) as unknown as PushSubscription
    }
    await page.evaluate(replaceBy, given(`/${user}/second`))
    const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'))
    await worker.evaluate(() => {
      const { ExtendableEvent, PushSubscriptionChangeEvent } = globalThis as unknown as {
        ExtendableEvent: { prototype: { waitUntil(): void } }
        PushSubscriptionChangeEvent: typeof Event
      }
      // Chromium waits only for events of its own.
      ExtendableEvent.prototype.waitUntil = () => {}
      globalThis.dispatchEvent(new PushSubscriptionChangeEvent('pushsubscriptionchange'))
    })
    await until(
      async () => (await endpoints()).includes(given(`/${user}/second`).endpoint),
      'the second is known'
    )
    assert.equal(told.filter(body => body.includes(`/${user}/second`)).length, 1)

    const next = await context.newPage()
    await next.goto(`${site.base}/healthz`)
    await next.evaluate(replaceBy, given(`/${user}/third`))
    await next.evaluate(
      async ({ base, clientId, hash, userId }) => {
        const kit = (await import(`${base}/notif.js`)) as {
          configure(config: object): Promise<{ $notifications: { subscribe(listener: () => void): void } }>
        }
        const store = await kit.configure({ clientId, userHash: hash, userId })
        store.$notifications.subscribe(() => {})
      },
      { base: site.base, clientId: CLIENT, hash: toUserHash(user), userId: user }
    )
    await until(
      async () => (await endpoints()).includes(given(`/${user}/third`).endpoint),
      'the third is known'
    )
    await context.close()
  }
)

/** Sends to the inbox and as a web push, and waits until the browser shows it. @returns the tracking id */
async function sendBoth(page: Page, userId: string, title: string): Promise<string> {
  const answer = await site.post(`/${CLIENT}/sender`, {
    inapp: { title },
    to: { id: userId },
    type: 'news_both',
    web_push: { message: 'm', title }
  })
  assert.equal(answer.status, 200, await answer.clone().text())
  const { trackingId } = (await answer.json()) as { trackingId: string }
  await waitForPush(page, trackingId)
  assert.ok((await tagsOn(page)).includes(trackingId), `${title} is shown`)
  return trackingId
}

const tagsOn = async (page: Page): Promise<string[]> => (await shownOn(page)).map(({ tag }) => tag)

/** As another device of the user. */
async function readElsewhere(userId: string, trackingId: string): Promise<void> {
  const authorization = `Basic ${Buffer.from(`${CLIENT}:${userId}:${toUserHash(userId)}`).toString('base64')}`
  const answer = await fetch(`${site.base}/${CLIENT}/users/${userId}/inbox`, {
    body: JSON.stringify({ opened: new Date().toISOString(), trackingIds: [trackingId] }),
    headers: { authorization, 'content-type': 'application/json' },
    method: 'PATCH'
  })
  assert.equal(answer.status, 200, await answer.text())
}

test(
  'the next push closes those that were read elsewhere while no page was connected',
  { timeout: 90_000 },
  async () => {
    const user = createUserId()
    const { context, page } = await visitor(user)
    assert.equal(await answerOn(page, user, true), 'done')
    // A page of the site without a store, so that nothing but the worker can close a notification.
    await page.goto(`${site.base}/healthz`)
    await deliverer(context, page)
    const read = await sendBoth(page, user, 'Read on the phone')
    const unread = await sendBoth(page, user, 'Not read')
    await readElsewhere(user, read)
    assert.deepEqual((await tagsOn(page)).toSorted(), [read, unread].toSorted())
    const next = await sendBoth(page, user, 'The next one')
    await until(async () => !(await tagsOn(page)).includes(read), 'the worker closes it')
    assert.deepEqual((await tagsOn(page)).toSorted(), [unread, next].toSorted())
    await context.close()
  }
)

test(
  'an open page closes the push at once when the notification is read elsewhere',
  { timeout: 90_000 },
  async () => {
    const user = createUserId()
    const { context, page } = await visitor(user)
    assert.equal(await answerOn(page, user, true), 'done')
    await page.goto(`${site.base}/healthz`)
    await deliverer(context, page)
    const read = await sendBoth(page, user, 'Read on the phone')
    const unread = await sendBoth(page, user, 'Not read')
    await page.evaluate(
      async ({ base, clientId, hash, userId }) => {
        const kit = (await import(`${base}/notif.js`)) as {
          configure(config: object): Promise<{
            $connection: { subscribe(listener: (value: { state: string }) => void): void }
            $notifications: { subscribe(listener: () => void): void }
          }>
        }
        const store = await kit.configure({ clientId, userHash: hash, userId })
        store.$notifications.subscribe(() => {})
        await new Promise<void>(resolve =>
          store.$connection.subscribe(({ state }) => state === 'online' && resolve())
        )
      },
      { base: site.base, clientId: CLIENT, hash: toUserHash(user), userId: user }
    )
    await readElsewhere(user, read)
    await until(async () => !(await tagsOn(page)).includes(read), 'the page closes it')
    assert.deepEqual(await tagsOn(page), [unread])
    await context.close()
  }
)

test('the worker also works at the address of the hosted product', { timeout: 60_000 }, async () => {
  const user = createUserId()
  const { context, page } = await visitor(user)
  assert.equal(await answerOn(page, user, true, '/notificationapi-service-worker.js'), 'done')
  const script = await page.evaluate(async () => (await navigator.serviceWorker.ready).active?.scriptURL)
  assert.equal(script, `${site.base}/notificationapi-service-worker.js`)
  await context.close()
})

test('registers nothing without permission, and remembers a no', { timeout: 60_000 }, async () => {
  const user = createUserId()
  const { context, page } = await visitor(user, false)
  assert.equal(await answerOn(page, user, false), 'done')
  assert.equal(await page.evaluate(() => localStorage.getItem('hideWebPushOptInMessage')), 'true')
  assert.equal(await page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length), 0)
  assert.deepEqual(await tokensOf(user), [])
  await context.close()
})

test('with Trusted Types a second yes creates no second policy', { timeout: 60_000 }, async () => {
  const user = createUserId()
  const { context, page } = await visitor(user)
  await page.route(`${site.base}/strict`, route =>
    route.fulfill({
      body: '<!doctype html><html lang="en"><title>Strict</title><link rel="icon" href="data:,">',
      contentType: 'text/html',
      headers: {
        'content-security-policy':
          "require-trusted-types-for 'script'; trusted-types lit-html notif-kit-worker"
      }
    })
  )
  await page.goto(`${site.base}/strict`)
  assert.equal(await answerOn(page, user, true), 'done')
  assert.equal(await answerOn(page, user, false), 'done')
  assert.equal(await answerOn(page, user, true), 'done')
  assert.equal((await tokensOf(user)).length, 1)
  // An address of another origin is still refused.
  assert.match(
    await answerOn(page, user, true, 'https://elsewhere.example/worker.js'),
    /must have the origin of the page/
  )
  await context.close()
})

/** A page of the origin of the server and its worker, in a browser without an answer about web push. */
async function askable(
  userId: string,
  more = ''
): Promise<{ context: BrowserContext; page: Page; open(isCounted?: boolean): Promise<void> }> {
  const { context, page } = await visitor(userId)
  await context.addInitScript(() => {
    let permission: NotificationPermission = 'default'
    Object.defineProperty(Notification, 'permission', { configurable: true, get: () => permission })
    Notification.requestPermission = async () => (permission = 'granted')
  })
  await page.route(`${site.base}/card`, route =>
    route.fulfill({
      body: `<!doctype html><html lang="en"><title>Card</title><link rel="icon" href="data:,">
    <script type="module" src="/notif.js" data-client-id="${CLIENT}" data-user-id="${userId}"
      data-user-hash="${toUserHash(userId)}" ${more}></script><notif-popup></notif-popup>`,
      contentType: 'text/html'
    })
  )
  let looks = 0
  return {
    context,
    async open(isCounted = true) {
      const to = { id: userId }
      const answer = await site.post(`/${CLIENT}/sender`, { inapp: { title: 'News' }, to, type: 'news' })
      assert.equal(answer.status, 200)
      await page.goto(`${site.base}/card`)
      await page.locator('notif-popup button').first().click()
      await page.locator('notif-popup article').first().waitFor()
      looks += 1
      if (!isCounted) return
      await page.waitForFunction(count => {
        const key = Object.keys(localStorage).find(name => name.startsWith('notif-push:'))
        return key && (JSON.parse(localStorage.getItem(key)!) as { looks: number }).looks === count
      }, looks)
    },
    page
  }
}

const rowOf = (page: Page): Locator => page.locator('notif-popup .push-row')

test(
  'the row is offered at the second opening with news in it: yes subscribes',
  { timeout: 60_000 },
  async () => {
    const user = createUserId()
    const { context, open, page } = await askable(user)
    await open()
    await page.waitForLoadState('networkidle')
    assert.equal(await rowOf(page).count(), 0)
    await open()
    const row = page.getByRole('group', { name: 'Also when this page is closed?' })
    await row.getByRole('button', { name: 'Turn on' }).click()
    await row.getByText('On in this browser.').waitFor()
    await until(async () => (await tokensOf(user)).length === 1, 'the server knows the subscription')
    // It leaves by itself, unless the focus is in it.
    await page.locator('notif-popup .heading').focus()
    await page.mouse.move(1, 1)
    await row.waitFor({ state: 'detached' })
    await context.close()
  }
)

test('the row stays after the question of the browser was closed', { timeout: 60_000 }, async () => {
  const { context, open, page } = await askable(createUserId())
  await context.addInitScript(() => {
    Notification.requestPermission = async () => 'default'
  })
  await open()
  await open()
  const button = rowOf(page).getByRole('button', { name: 'Turn on' })
  await button.click()
  await button.and(page.locator(':not([aria-busy])')).waitFor()
  assert.equal(await rowOf(page).count(), 1)
  await context.close()
})

test('a blocked browser is explained', { timeout: 60_000 }, async () => {
  const { context, open, page } = await askable(createUserId())
  await context.addInitScript(() => {
    let permission: NotificationPermission = 'default'
    Object.defineProperty(Notification, 'permission', { configurable: true, get: () => permission })
    Notification.requestPermission = async () => (permission = 'denied')
  })
  await open()
  await open()
  const row = rowOf(page)
  await row.getByRole('button', { name: 'Turn on' }).click()
  await row.getByText('Blocked for this site.').waitFor()
  await page.keyboard.press('Enter')
  await row.getByText('Open the settings of this site').waitFor()
  await page.keyboard.press('Enter')
  await row.waitFor({ state: 'detached' })
  await context.close()
})

test('“not now” is asked again after 30 days, twice at most', { timeout: 90_000 }, async () => {
  const user = createUserId()
  const { context, open, page } = await askable(user)
  const loads = (): Promise<unknown> =>
    page.waitForResponse(answer => /\/push-row-[\w-]+\.js$/.test(answer.url()))
  const refuseLongAgo = (days: number): Promise<void> =>
    page.evaluate(ms => {
      const key = Object.keys(localStorage).find(name => name.startsWith('notif-push:'))!
      const stored = JSON.parse(localStorage.getItem(key)!) as { refusedAt: number }
      localStorage.setItem(key, JSON.stringify({ ...stored, refusedAt: stored.refusedAt - ms }))
    }, days * 86_400_000)
  const isOffered = async (): Promise<boolean> => {
    const chunk = loads()
    await open()
    await chunk
    await page.waitForLoadState('networkidle')
    return (await rowOf(page).count()) === 1
  }
  await open()
  assert.equal(await isOffered(), true)
  await rowOf(page).getByRole('button', { name: 'Not now' }).click()
  await rowOf(page).waitFor({ state: 'detached' })
  assert.equal(await isOffered(), false)
  await refuseLongAgo(29)
  assert.equal(await isOffered(), false)
  await refuseLongAgo(2)
  assert.equal(await isOffered(), true)
  await rowOf(page).getByRole('button', { name: 'Not now' }).click()
  await rowOf(page).waitFor({ state: 'detached' })
  await refuseLongAgo(31)
  assert.equal(await isOffered(), false)
  assert.deepEqual(await tokensOf(user), [])
  await context.close()
})

test('nothing is offered without a worker, or with `off`', { timeout: 90_000 }, async () => {
  const missing = await askable(createUserId(), 'data-custom-service-worker-path="/missing.js"')
  await missing.open()
  const asked = missing.page.waitForResponse(answer => answer.url().endsWith('/missing.js'))
  await missing.open()
  assert.equal((await asked).status(), 404)
  await missing.page.waitForLoadState('networkidle')
  assert.equal(await rowOf(missing.page).count(), 0)
  await missing.context.close()

  for (const said of ['off', 'false']) {
    const silent = await askable(createUserId(), `data-web-push-opt-in-message="${said}"`)
    const fetched: string[] = []
    silent.page.on('request', request => fetched.push(request.url()))
    await silent.open(false)
    await silent.page.waitForLoadState('networkidle')
    assert.ok(fetched.length > 3 && !fetched.some(url => url.includes('/push-row-')), said)
    await silent.context.close()
  }
})

test('the value of the hosted product shows the row', { timeout: 60_000 }, async () => {
  const { context, open, page } = await askable(createUserId(), 'data-web-push-opt-in-message="AUTOMATIC"')
  const told: string[] = []
  page.on('console', message => void (message.type() === 'warning' && told.push(message.text())))
  await open()
  await open()
  await rowOf(page).waitFor()
  // A warning would have loaded its code by then.
  await page.waitForLoadState('networkidle')
  assert.deepEqual(told, [])
  await context.close()
})

test('an unknown value shows the row and warns', { timeout: 60_000 }, async () => {
  const { context, open, page } = await askable(createUserId(), 'data-web-push-opt-in-message="never"')
  await open()
  const told = page.waitForEvent('console', message => message.type() === 'warning')
  await open()
  const text = '<notif-popup> webPushOptInMessage: expected auto or off, got never; the default is used.'
  assert.equal((await told).text(), text)
  await rowOf(page).waitFor()
  await context.close()
})

test('a page closes the push of a notification that was read elsewhere', { timeout: 90_000 }, async () => {
  const user = createUserId()
  const { context, page } = await visitor(user)
  assert.equal(await answerOn(page, user, true), 'done')
  const cdp = await deliverer(context, page)
  await page.evaluate(() => void document.body.append(document.createElement('notif-counter')))
  const send = async (title: string): Promise<string> => {
    const answer = await site.post(`/${CLIENT}/sender`, {
      inapp: { title },
      to: { id: user },
      type: 'news_both',
      web_push: { message: 'Gate 4', title }
    })
    return ((await answer.json()) as { trackingId: string }).trackingId
  }
  const [read, unread] = [await send('Read'), await send('Unread')]
  for (const tag of [read, unread]) await waitForPush(page, tag)
  assert.equal((await shownOn(page)).length, 2)
  await page.locator('notif-counter').getByText('2').first().waitFor()
  const authorization = `Basic ${Buffer.from(`${CLIENT}:${user}:${toUserHash(user)}`).toString('base64')}`
  const answer = await fetch(`${site.base}/${CLIENT}/users/${user}/inbox`, {
    body: JSON.stringify({ opened: new Date().toISOString(), trackingIds: [read] }),
    headers: { authorization, 'content-type': 'application/json' },
    method: 'PATCH'
  })
  assert.equal(answer.status, 200)
  await until(async () => (await shownOn(page)).length === 1, 'the push of the read one is closed')
  assert.deepEqual(
    (await shownOn(page)).map(({ tag }) => tag),
    [unread]
  )
  await cdp.detach()
  await context.close()
})
