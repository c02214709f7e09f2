// Without a network: a reload shows the last inbox, actions wait and arrive once, and a sign-out deletes the data in the browser.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'

import type { Browser, BrowserContext, Page, Request } from 'playwright-core'

import type { InboxPatch } from '#protocol'

import type { NotifStore } from '../../components/headless/index.ts'
import { until } from '../support/process.ts'
import {
  CLIENT,
  SECRET,
  toUserHash,
  openBrowser,
  openSite,
  shiftClock,
  createUserId,
  type Site
} from './site.ts'

let browser: Browser
let site: Site
let worker: string

before(async () => {
  site = await openSite()
  browser = await openBrowser()
  // The worker of the site caches its pages and scripts, but no data of the user.
  worker = site.host(`
    addEventListener('install', () => skipWaiting())
    addEventListener('activate', event => event.waitUntil(clients.claim()))
    const load = async request => {
      const cache = await caches.open('site')
      try {
        const answer = await fetch(request)
        await cache.put(request, answer.clone())
        return answer
      } catch {
        return cache.match(request)
      }
    }
    addEventListener('fetch', event => {
      if (!event.request.url.includes('/users/')) event.respondWith(load(event.request))
    })`)
})
after(async () => {
  await browser?.close()
  await site?.[Symbol.asyncDispose]()
})

type Globals = { store: NotifStore; refusals: string[]; ready?: boolean }

/** A page of a site that works offline; \`window.store\` is its store. */
const address = (userId: string): string =>
  site.host(`<!doctype html><html lang="en"><title>Site</title><link rel="icon" href="data:,">
  <script type="module">
    import { getNotifContext } from '${site.base}/notif.js'
    await navigator.serviceWorker.register('${new URL(worker).pathname}')
    await navigator.serviceWorker.ready
    await customElements.whenDefined('notif-provider')
    window.store = await getNotifContext(document.querySelector('notif-feed'))
    window.refusals = []
    document.addEventListener('notif-error', ({ detail }) => window.refusals.push(detail.error.message))
    window.ready = Boolean(navigator.serviceWorker.controller)
  </script>
  <notif-provider api-url="${site.base}" client-id="${CLIENT}" user-id="${userId}" user-hash="${toUserHash(userId)}">
    <notif-counter show-zero>Inbox</notif-counter><notif-feed></notif-feed>
  </notif-provider>`)

const titles = async (page: Page): Promise<string[]> => {
  const texts = await page.locator('notif-feed article .title').allTextContents()
  return texts.map(text => text.trim())
}

const state = (page: Page, wanted: string): Promise<unknown> =>
  page.waitForFunction(
    wanted => (globalThis as unknown as Globals).store?.$connection.get().state === wanted,
    wanted
  )

/** Everything of a browser's page that outlives it, as text. */
const kept = (page: Page): Promise<string> =>
  page.evaluate(async () => {
    const found: unknown[] = [{ ...localStorage }, { ...sessionStorage }, document.cookie]
    for (const name of await caches.keys()) {
      for (const { url } of await (await caches.open(name)).keys())
        if (url.includes('/users/')) found.push(url)
    }
    const done = <T>(request: IDBRequest<T>): Promise<T> =>
      new Promise((resolve, reject) => {
        request.addEventListener('success', () => resolve(request.result))
        request.addEventListener('error', () => reject(request.error))
      })
    for (const { name } of await indexedDB.databases()) {
      const database = await done(indexedDB.open(name!))
      for (const store of database.objectStoreNames) {
        const objects = database.transaction(store).objectStore(store)
        found.push(name, store, await done(objects.getAllKeys()), await done(objects.getAll()))
      }
      database.close()
    }
    return JSON.stringify(found)
  })

/** Opens the page until its worker has everything that it needs to be opened without a network. */
async function open(
  context: BrowserContext,
  userId: string,
  count: number,
  url = address(userId)
): Promise<Page> {
  const page = await context.newPage()
  // Beside other tests a page takes its time.
  page.setDefaultTimeout(60_000)
  await page.goto(url)
  await page.waitForFunction(() => (globalThis as unknown as Globals).ready !== undefined)
  await page.reload()
  await page.waitForFunction(() => (globalThis as unknown as Globals).ready)
  await shows(page, count)
  await state(page, 'online')
  await until(async () => count === 0 || (await kept(page)).includes('"items":[{'), 'the inbox is kept')
  return page
}

const shows = (page: Page, count: number): Promise<unknown> =>
  page.waitForFunction(
    count => (globalThis as unknown as Globals).store?.$notifications.get().length === count,
    count
  )

/** Does something to the notification of this title, and does not wait for the server. */
async function act(
  page: Page,
  verb: 'markAsArchived' | 'markAsUnarchived' | 'markAsOpened',
  ...names: string[]
): Promise<void> {
  // The list may be rendered before `configure` has resolved.
  await page.waitForFunction(() => (globalThis as unknown as Globals).store)
  await page.evaluate(
    ([verb, ...names]) => {
      const { refusals, store } = globalThis as unknown as Globals
      const ids = store.$notifications
        .get()
        .filter(({ title }) => names.includes(title))
        .map(({ id }) => id)
      store[verb](names.length > 0 ? ids : ('ALL' as never)).catch((error: Error) =>
        refusals.push(error.message)
      )
    },
    [verb, ...names] as const
  )
}

interface Sent {
  readonly key: string
  readonly body: InboxPatch
}

/** Requests that archive. The list also sends requests that open, which these tests ignore. */
function watchPatches(context: BrowserContext): Sent[] {
  const sent: Sent[] = []
  context.on('request', (request: Request) => {
    if (request.method() !== 'PATCH') return
    const body = request.postDataJSON() as InboxPatch
    if (body.archived !== undefined) sent.push({ body, key: request.headers()['idempotency-key']! })
  })
  return sent
}

/** A way to end a page so that nothing of it runs any more, whatever it does. */
async function crash(context: BrowserContext, page: Page): Promise<() => Promise<void>> {
  const session = await context.newCDPSession(page)
  return async () => {
    const closed = page.waitForEvent('crash')
    session.send('Page.crash').catch(() => {})
    await closed
    await page.close()
  }
}

const archivedAt = async (userId: string): Promise<string[]> =>
  (await site.inbox(userId)).items.filter(({ archived }) => archived).map(({ title }) => title)

test('offline, a reload shows the last inbox and its pending actions, which arrive once', async () => {
  await using context = await browser.newContext()
  const user = createUserId()
  for (const title of ['One', 'Two', 'Three']) await site.send(user, { title })
  const page = await open(context, user, 3)
  await context.setOffline(true)
  await page.reload()
  await page.locator('notif-feed article').first().waitFor()
  assert.deepEqual(await titles(page), ['Three', 'Two', 'One'])
  assert.equal(await page.locator('notif-feed [role=alert]').count(), 0)

  const row = page.locator('notif-feed article').filter({ hasText: 'Two' })
  await row.hover()
  await row.getByRole('button', { name: 'Archive' }).click()
  await row.waitFor({ state: 'detached' })
  await act(page, 'markAsArchived', 'Three')
  await act(page, 'markAsUnarchived', 'Two')
  await until(
    async () => (await kept(page)).match(/"patch":\{"archived"/g)?.length === 3,
    'all of it is kept'
  )
  await page.reload()
  await page.locator('notif-feed article').first().waitFor()
  await until(async () => (await titles(page)).join() === 'Two,One', 'it shows what was done')

  const patches = watchPatches(context)
  await context.setOffline(false)
  await until(async () => (await archivedAt(user)).join() === 'Three', 'the server has it')
  await until(async () => !(await kept(page)).includes('"patch"'), 'nothing waits any more')
  assert.deepEqual(await titles(page), ['Two', 'One'])
  assert.deepEqual(
    patches.map(({ body }) => Boolean(body.archived)),
    [true, true, false]
  )
  assert.equal(new Set(patches.map(({ key }) => key)).size, 3)
})

test('offline with a clock that is days off, unexpired notifications are shown with their times', async () => {
  const DAY = 86_400_000
  const created = await fetch(`${site.base}/${CLIENT}/notifications/brief`, {
    body: JSON.stringify({ retention: 1, templates: { inapp: { title: 'Brief' } }, title: 'Brief' }),
    headers: {
      authorization: `Basic ${Buffer.from(`${CLIENT}:${SECRET}`).toString('base64')}`,
      'content-type': 'application/json'
    },
    method: 'PUT'
  })
  assert.equal(created.status, 201)
  await using context = await browser.newContext()
  await shiftClock(context, 3 * DAY)
  const user = createUserId()
  await site.post(`/${CLIENT}/sender`, { to: { id: user }, type: 'brief' })
  const page = await open(context, user, 1)
  await context.setOffline(true)
  await page.reload()
  const row = page.locator('notif-feed article', { hasText: 'Brief' })
  await row.waitFor()
  await until(
    async () => /\b(?:now|[1-5] min)$/.test((await row.locator('.time').textContent()) ?? ''),
    'it came just now'
  )
})

test('the next page repeats a request whose answer was lost, with the same key', async () => {
  await using context = await browser.newContext()
  const user = createUserId()
  for (const title of ['One', 'Two']) await site.send(user, { title })
  const page = await open(context, user, 2)
  const patches = watchPatches(context)
  // The server does it, and its answer never comes.
  await context.route('**/inbox', async route => {
    const request = route.request()
    if (!request.postData()?.includes('archived')) return route.fallback()
    await route.fetch()
    await route.abort()
  })
  await act(page, 'markAsArchived')
  await until(async () => (await archivedAt(user)).length === 2, 'the server has done it')
  await page.close()
  await context.unrouteAll({ behavior: 'ignoreErrors' })
  await site.send(user, { title: 'Later' })
  const { key } = patches.at(-1)!
  const before = patches.length
  const next = await open(context, user, 3)
  await until(async () => !(await kept(next)).includes('"patch"'), 'nothing waits any more')
  // That page is loaded twice, so it may have to ask twice.
  assert.deepEqual([...new Set(patches.slice(before).map(sent => sent.key))], [key])
  assert.deepEqual(await archivedAt(user), ['Two', 'One'])
})

test('sends stored actions of an earlier version of the kit', async () => {
  await using context = await browser.newContext()
  const user = createUserId()
  for (const title of ['One', 'Two']) await site.send(user, { title })
  const page = await open(context, user, 2)
  await context.setOffline(true)
  await act(page, 'markAsArchived', 'One')
  await until(async () => (await kept(page)).includes('"patch":{"archived"'), 'it is kept')
  await page.evaluate(
    () =>
      new Promise<void>(resolve => {
        const opening = indexedDB.open('notif-kit')
        opening.addEventListener('success', () => {
          const actions = opening.result.transaction('actions', 'readwrite').objectStore('actions')
          const cursors = actions.openCursor()
          cursors.addEventListener('success', () => {
            const cursor = cursors.result
            if (!cursor) return
            const { at: _, ...row } = cursor.value
            const ids: string[] = row.patch.trackingIds
            cursor.update({ ...row, seen: Object.fromEntries(ids.map(id => [id, { archived: null }])) })
            cursor.continue()
          })
          actions.transaction.addEventListener('complete', () => {
            opening.result.close()
            resolve()
          })
        })
      })
  )
  await page.reload()
  await until(async () => (await titles(page)).join() === 'Two', 'it shows what was done')
  await act(page, 'markAsArchived', 'Two')
  await context.setOffline(false)
  await until(async () => (await archivedAt(user)).length === 2, 'the server has it')
  await until(async () => !(await kept(page)).includes('"patch"'), 'nothing waits any more')
})

test('the next page turns a type off that was turned off without a network, and later pages do not repeat it', async () => {
  await using context = await browser.newContext()
  const user = createUserId()
  for (const title of ['One', 'Two']) await site.send(user, { title })
  const page = await open(context, user, 2)
  // Only requests to the API fail: the page must still load the code of the preferences.
  await context.route('**/users/**', route => route.abort())
  // The page has not read the preferences, so the choices are selected when they are sent.
  await page.evaluate(() => {
    const { store } = globalThis as unknown as Globals
    void store.mute(store.$notifications.get()[0]!.type).catch(() => {})
  })
  await until(async () => (await kept(page)).includes('"quiet"'), 'it is kept')
  await page.reload()
  await shows(page, 2)
  await context.unroute('**/users/**')
  await until(async () => !(await kept(page)).includes('"quiet"'), 'nothing waits any more')
  await until(
    async () => (await site.send(user, { title: 'Three' }).catch(String)).toString().includes('202'),
    'the type is off'
  )
})

test('rolls back only the refused action, with a banner', async () => {
  await using context = await browser.newContext()
  const user = createUserId()
  for (const title of ['One', 'Two', 'Three']) await site.send(user, { title })
  const page = await open(context, user, 3)
  await context.setOffline(true)
  await act(page, 'markAsArchived', 'One')
  await act(page, 'markAsOpened', 'One')
  await act(page, 'markAsArchived', 'Two')
  await until(async () => (await kept(page)).match(/"patch":\{"archived"/g)?.length === 2, 'both are kept')
  await page.reload()
  await until(async () => (await titles(page)).join() === 'Three', 'it shows what was done')
  const [one] = (await site.inbox(user)).items.toReversed()
  await context.route('**/inbox', route =>
    /"archived".*/.test(route.request().postData() ?? '') && route.request().postData()!.includes(one!.id)
      ? route.fulfill({ json: { detail: 'Not this one.', title: 'No' }, status: 403 })
      : route.fallback()
  )
  await context.setOffline(false)
  await page.locator('notif-feed [role=alert]').waitFor()
  await until(async () => (await titles(page)).join() === 'Three,One', 'it is taken back')
  await until(async () => (await archivedAt(user)).join() === 'Two', 'the other one stays')
  assert.deepEqual(await page.evaluate(() => (globalThis as unknown as Globals).refusals), ['Not this one.'])
})

test('an open tab sends the actions of a closed one once, and what another browser overtook changes nothing', async () => {
  await using context = await browser.newContext()
  await using elsewhere = await browser.newContext()
  const user = createUserId()
  for (const title of ['One', 'Two', 'Three']) await site.send(user, { title })
  const url = address(user)
  const one = await open(context, user, 3, url)
  const two = await open(context, user, 3, url)
  const far = await open(elsewhere, user, 3, url)
  await act(one, 'markAsArchived', 'Two')
  await until(async () => (await titles(far)).join() === 'Three,One', 'the other browser has heard')
  await context.setOffline(true)
  await act(one, 'markAsArchived', 'One')
  await act(one, 'markAsUnarchived', 'Two')
  await until(async () => (await kept(one)).match(/"patch":\{"archived"/g)?.length === 2, 'both are kept')
  await one.close()
  await act(far, 'markAsUnarchived', 'Two')
  await until(async () => (await archivedAt(user)).length === 0, 'the other browser takes it back')
  await act(far, 'markAsArchived', 'Two')
  await until(async () => (await archivedAt(user)).join() === 'Two', 'and archives it again')
  const patches = watchPatches(context)
  await context.setOffline(false)
  await until(async () => (await archivedAt(user)).join() === 'Two,One', 'the one is sent')
  await until(async () => (await titles(two)).join() === 'Three', 'and shown')
  await until(async () => !(await kept(two)).includes('"patch"'), 'nothing waits any more')
  assert.equal(patches.length, 2)
  assert.deepEqual(await archivedAt(user), ['Two', 'One'])
})

test('a pending "all" excludes actions of another tab, also after a reload', async () => {
  await using context = await browser.newContext()
  const user = createUserId()
  for (const title of ['One', 'Two', 'Three']) await site.send(user, { title })
  const url = address(user)
  // The first one has the connection, so it does not notice that the other one goes.
  const two = await open(context, user, 3, url)
  const one = await open(context, user, 3, url)
  await act(two, 'markAsArchived', 'One')
  await until(async () => (await titles(one)).join() === 'Three,Two', 'both tabs know it')
  await one.route('**/inbox', route =>
    route.request().method() === 'PATCH' ? route.abort() : route.fallback()
  )
  await act(one, 'markAsArchived')
  await until(async () => (await kept(one)).includes('"ALL"'), 'it waits')
  await one.goto(site.host('<title>Away</title>'))
  await act(two, 'markAsUnarchived', 'One')
  await until(async () => !(await archivedAt(user)).includes('One'), 'the server has it')
  await one.unrouteAll({ behavior: 'ignoreErrors' })
  await one.goto(url)
  await until(async () => !(await kept(one)).includes('"patch"'), 'nothing waits any more')
  assert.deepEqual(await archivedAt(user), ['Three', 'Two'])
  for (const page of [one, two])
    await until(async () => (await titles(page)).join() === 'One', 'both show it')
})

test('the next page sends actions of the last moment of a page', async () => {
  await using context = await browser.newContext()
  const user = createUserId()
  for (const title of ['One', 'Two']) await site.send(user, { title })
  const url = address(user)
  const page = await open(context, user, 2, url)
  const end = await crash(context, page)
  const done = page.waitForEvent('console')
  await page.evaluate(() => {
    const { store } = globalThis as unknown as Globals
    const ids = store.$notifications.get().map(({ id }) => id)
    // Nothing else of the page runs after this task.
    setTimeout(async () => {
      store.markAsArchived(ids.slice(0, 1)).catch(() => {})
      store.markAsUnarchived(ids.slice(0, 1)).catch(() => {})
      store.markAsArchived(ids.slice(1)).catch(() => {})
      for (let i = 0; i < 100; i++) await undefined
      console.log('Done.')
      for (const end = Date.now() + 5000; Date.now() < end;);
    })
  })
  await done
  await end()
  const next = await context.newPage()
  await next.goto(url)
  await until(async () => (await archivedAt(user)).join() === 'One', 'the server has all of it')
  await until(async () => !(await kept(next)).includes('"patch"'), 'nothing waits any more')
  await until(async () => (await titles(next)).join() === 'Two', 'and it is shown')
})

/** Ways to sign out. */
const GOODBYES: Readonly<Record<string, (page: Page) => Promise<unknown>>> = {
  'destroy({ forget: true })': page =>
    page.evaluate(() => (globalThis as unknown as Globals).store.destroy({ forget: true })),
  'no user-id': page =>
    page.evaluate(() => document.querySelector('notif-provider')!.removeAttribute('user-id')),
  'another user-id': page =>
    page.evaluate(() => document.querySelector('notif-provider')!.setAttribute('user-id', 'somebody else'))
}

test('a sign-out deletes the data of the user in all tabs', async t => {
  for (const [name, leave] of Object.entries(GOODBYES)) {
    await t.test(name, async () => {
      await using context = await browser.newContext()
      const user = createUserId()
      await site.send(user, { title: 'A secret of mine' })
      const url = address(user)
      const page = await open(context, user, 1, url)
      const other = await open(context, user, 1, url)
      await context.setOffline(true)
      let tries = 0
      other.on('requestfailed', request => request.postData()?.includes('archived') && tries++)
      await act(other, 'markAsArchived', 'A secret of mine')
      await until(() => tries === 3, 'nothing is on its way')
      await until(async () => (await kept(page)).includes('"archived"'), 'an action waits')
      await page.evaluate(() => localStorage.setItem('hideWebPushOptInMessage', 'true'))
      const patches = watchPatches(context)
      await leave(page)
      await until(async () => !/A secret|user-|hideWebPush/.test(await kept(page)), 'nothing is kept')
      await until(async () => (await titles(other)).length === 0, 'the other tab shows nothing')
      await context.setOffline(false)
      // The other tab neither writes the data again nor sends its pending actions.
      const fresh = await context.newPage()
      await fresh.goto(site.host('<title>Signed out</title>'))
      await site.send(user, { title: 'A secret of later' })
      const locks = await fresh.evaluate(async () =>
        (await navigator.locks.query()).held!.map(({ name }) => name)
      )
      assert.deepEqual(
        locks.filter(lock => lock!.includes(user)),
        []
      )
      assert.doesNotMatch(await kept(fresh), /secret|user-/)
      assert.deepEqual(patches, [])
      assert.deepEqual(await archivedAt(user), [])
    })
  }
})

test('after a crash the next user sees no data, and the data is deleted', async () => {
  await using context = await browser.newContext()
  const [user, next] = [createUserId(), createUserId()]
  await site.send(user, { title: 'A secret of mine' })
  await site.send(next, { title: 'Hello' })
  const page = await open(context, user, 1)
  const end = await crash(context, page)
  await end()
  const other = await open(context, next, 1)
  assert.deepEqual(await titles(other), ['Hello'])
  await until(async () => !/A secret/.test(await kept(other)), 'it is removed')
  assert.match(await kept(other), /Hello/)
})

test('a browser without storage shows no error', async t => {
  const broken: Readonly<Record<string, () => void>> = {
    blocked: () => {
      Object.defineProperty(globalThis, 'indexedDB', {
        get() {
          throw new DOMException('No.', 'SecurityError')
        }
      })
    },
    full: () => {
      IDBObjectStore.prototype.put = () => {
        throw new DOMException('Full.', 'QuotaExceededError')
      }
    },
    missing: () => Reflect.deleteProperty(globalThis, 'indexedDB'),
    mute: () => {
      IDBFactory.prototype.open = () => new EventTarget() as IDBOpenDBRequest
    }
  }
  for (const [name, spoil] of Object.entries(broken)) {
    await t.test(name, async () => {
      await using context = await browser.newContext()
      const user = createUserId()
      await site.send(user, { title: 'One' })
      await context.addInitScript(spoil)
      const page = await context.newPage()
      const errors: Error[] = []
      page.on('pageerror', error => errors.push(error))
      await page.goto(address(user))
      await page.locator('notif-feed article').waitFor()
      await act(page, 'markAsArchived', 'One')
      await until(async () => (await archivedAt(user)).join() === 'One', 'actions work')
      assert.deepEqual(errors, [])
      assert.equal(await page.locator('notif-feed [role=alert]').count(), 0)
    })
  }
})
