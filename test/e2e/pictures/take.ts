// Takes the pictures of README and docs: `node test/e2e/pictures/take.ts`, or with `dashboard` only those of it. Check each before you commit it.

import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import type { BrowserContextOptions, Page } from 'playwright-core'

import type { Type } from '../../../demo/states/send.ts'
import { TYPES } from '../../../demo/states/types.ts'
import { smtpPeer } from '../../channels/email/smtp-peer.ts'
import { fillCounts, openFerryCompany } from '../admin/ferry-company.ts'
import { signInWithToken } from '../admin/sign-in.ts'
import {
  chooseInMenu,
  CLIENT,
  SECRET,
  openBrowser,
  openSite,
  createUserId,
  type PageOptions
} from '../site.ts'
import { paletted, type Pixels } from './palette.ts'

const FOLDER = join(import.meta.dirname, '../../../demo/pictures')

/** A page of a customer, so that the states stand in a plain place. */
const BAR = `<style>
  body { margin: 0; padding: 8px 24px; background: light-dark(#f8f7f3, #0c0d0e); font: 16px Inter, system-ui, sans-serif }
  :root { color-scheme: light dark }
  h1 { display: none } a { display: none }
  .bar { display: flex; justify-content: space-between; align-items: center; block-size: 48px }
</style><div class="bar"><b>Heron Ferries</b><notif-popup></notif-popup></div>`

const PHONE: BrowserContextOptions = {
  hasTouch: true,
  isMobile: true,
  viewport: { height: 600, width: 375 }
}

await using site = await openSite()
await using browser = await openBrowser()
await mkdir(FOLDER, { recursive: true })

async function visit(address: string, options: BrowserContextOptions): Promise<Page> {
  const context = await browser.newContext({ reducedMotion: 'reduce', ...options })
  // The user has answered the push prompt.
  await context.addInitScript(() => {
    if (location.protocol === 'http:') localStorage.setItem('hideWebPushOptInMessage', 'true')
  })
  const page = await context.newPage()
  await page.goto(address)
  await page.locator('notif-popup .bell').first().waitFor()
  return page
}

async function demo(path: string, options: BrowserContextOptions): Promise<Page> {
  const page = await visit(site.base + path, options)
  await page.locator('.status[data-state=online]').waitFor()
  await page.locator('notif-feed article').nth(3).waitFor()
  return page
}

async function openPopup(page: Page, wanted = 'article'): Promise<void> {
  await page.locator('notif-popup .bell').first().click()
  await page.locator(`notif-popup ${wanted}`).first().waitFor()
}

/** Pictures load lazily. */
const settled = (page: Page): Promise<unknown> => page.waitForLoadState('networkidle')

/** Only a browser knows how to read a picture. */
async function pixelsOf(picture: Buffer): Promise<Pixels> {
  await using context = await browser.newContext()
  const page = await context.newPage()
  const { base64, ...size } = await page.evaluate(
    async source => {
      const image = new Image()
      image.src = source
      await image.decode()
      const { height, width } = image
      const surface = new OffscreenCanvas(width, height).getContext('2d')!
      surface.drawImage(image, 0, 0)
      const { data } = surface.getImageData(0, 0, width, height)
      let text = ''
      for (let at = 0; at < data.length; at += 8192)
        text += String.fromCharCode(...data.subarray(at, at + 8192))
      return { base64: btoa(text), height, width }
    },
    `data:image/png;base64,${picture.toString('base64')}`
  )
  return { ...size, data: Buffer.from(base64, 'base64') }
}

async function keep(name: string, whole: Buffer): Promise<void> {
  const picture = paletted(await pixelsOf(whole))
  await writeFile(join(FOLDER, name), picture)
  process.stdout.write(`${name}: ${Math.round(picture.length / 1024)} kB\n`)
}

/** Pictures beside each other. */
async function row(pictures: readonly Buffer[], width: number): Promise<Buffer> {
  const GAP = 16
  const context = await browser.newContext({
    viewport: { height: 100, width: pictures.length * (width + GAP) + GAP }
  })
  const page = await context.newPage()
  const images = pictures.map(picture => `<img src="data:image/png;base64,${picture.toString('base64')}">`)
  await page.setContent(`<style>
    body { display: flex; align-items: start; gap: ${GAP}px; margin: 0; padding: ${GAP}px; background: #d9dade }
    img { inline-size: ${width}px; border-radius: 10px }
  </style>${images.join('')}`)
  await page.evaluate(() => Promise.all([...document.images].map(image => image.decode())))
  return page.screenshot({ fullPage: true })
}

async function light(): Promise<Buffer> {
  const page = await demo('/', { colorScheme: 'light', viewport: { height: 900, width: 1280 } })
  await page.getByRole('button', { exact: true, name: 'Send' }).click()
  await page.getByText('Arrived on this page').waitFor()
  await page
    .locator('notif-feed article')
    .first()
    .evaluate(row => Promise.all(row.getAnimations().map(({ finished }) => finished)))
  await settled(page)
  await page.evaluate(() => scrollTo(0, 0))
  // A floating button belongs to a window, not to a long picture.
  await page.locator('notif-launcher').evaluate(launcher => launcher.remove())
  return page.screenshot({ clip: { height: 970, width: 1280, x: 0, y: 0 }, fullPage: true })
}

async function dark(): Promise<Buffer> {
  const page = await demo('/', { colorScheme: 'dark', viewport: { height: 800, width: 1120 } })
  await openPopup(page)
  await page.locator('.top notif-popup article').nth(1).hover()
  await settled(page)
  return page.screenshot()
}

async function phones(): Promise<Buffer> {
  const sheet = await demo('/?user=priya', { ...PHONE, colorScheme: 'light' })
  await openPopup(sheet)
  await settled(sheet)
  const arabic = createUserId()
  const img = `${site.base}/img`
  for (const [title, body, image] of [
    ['سُدّدت الفاتورة 2026-118', '€ 1,240.00 · Brücke & Sohn', 'invoice'],
    ['وافق يوناس و٤ آخرون على جدول الربيع', 'يبدأ العمل به في ٢٨ مارس.', 'jonas'],
    ['نُشرت خريطة الميناء', 'الإصدار ٧ معروض الآن في الأرصفة الأحد عشر.', 'map'],
    [
      'علّقت أمارة أوسي على خريطة الميناء',
      '«هل يمكن نقل خط العبّارة قليلًا إلى الشمال؟ فهو يخفي اسم الرصيف القديم.»',
      'amara'
    ]
  ]) {
    await site.send(arabic, { body, image: `${img}/${image}.svg`, title })
  }
  const mirrored = await visit(site.page({ body: BAR, dir: 'rtl', lang: 'ar', userId: arabic }), {
    ...PHONE,
    colorScheme: 'dark'
  })
  await openPopup(mirrored)
  await settled(mirrored)
  const page = await demo('/?user=nour', { ...PHONE, colorScheme: 'dark' })
  await settled(page)
  return row([await sheet.screenshot(), await mirrored.screenshot(), await page.screenshot()], 375)
}

const WINDOW = { viewport: { height: 600, width: 492 } }

async function states(): Promise<Buffer> {
  const customer = (options: Partial<PageOptions> = {}): string =>
    site.page({ body: BAR, userId: createUserId(), ...options })
  const loading = await browser.newContext({ ...WINDOW, reducedMotion: 'reduce' })
  await loading.route('**/inbox?**', () => {})
  const waiting = await loading.newPage()
  await waiting.goto(customer())
  await openPopup(waiting, '.skeleton')

  const empty = await visit(customer(), WINDOW)
  await openPopup(empty, '.empty-state')

  const failing = await browser.newContext({ ...WINDOW, reducedMotion: 'reduce' })
  await failing.route('**/inbox?**', route => route.abort())
  const failed = await failing.newPage()
  await failed.goto(customer())
  await openPopup(failed, '.empty-state .btn')

  const user = createUserId()
  for (const [title, body, image] of [
    ['Mei Tanaka invited you to Winter crew', 'You can see shifts and trade them with 23 people.', 'mei'],
    ['Tomás Vidal and 4 others approved the spring timetable', 'It takes effect on 28 March.', 'tomas'],
    ['Harbour map was published', 'Version 7 is now on display at all eleven piers.', 'map']
  ]) {
    await site.send(user, { body, image: `${site.base}/img/${image}.svg`, title })
  }
  const offline = await visit(customer({ userId: user }), WINDOW)
  await openPopup(offline)
  await settled(offline)
  await offline.context().setOffline(true)
  await offline.locator('notif-popup .banner').waitFor()
  const pages = [waiting, empty, failed, offline]
  return row(await Promise.all(pages.map(page => page.screenshot())), 492)
}

type TypeName = keyof typeof TYPES

/** Puts the types of the gallery, because only a stored template has bold words. */
async function putTypes(): Promise<void> {
  for (const { id, inapp } of Object.values(TYPES) as readonly Type[]) {
    // Pictures are on the server, not on the page of the customer.
    const text = JSON.stringify({ templates: { inapp } }).replaceAll('"/img/', `"${site.base}/img/`)
    const answer = await fetch(`${site.base}/${CLIENT}/notifications/${id}`, {
      body: text,
      headers: { authorization: `Basic ${btoa(`${CLIENT}:${SECRET}`)}`, 'content-type': 'application/json' },
      method: 'PUT'
    })
    if (!answer.ok) throw new Error(`${id}: ${await answer.text()}`)
  }
}

async function fill(userId: string, names: readonly TypeName[]): Promise<void> {
  for (const name of names) {
    const answer = await site.post(`/${CLIENT}/sender`, { to: { id: userId }, type: TYPES[name].id })
    if (!answer.ok) throw new Error(await answer.text())
  }
}

const TALL: BrowserContextOptions = { viewport: { height: 700, width: 492 } }

/** A window of a customer whose user has these notifications. */
async function inboxOf(names: readonly TypeName[], options: BrowserContextOptions = {}): Promise<Page> {
  const userId = createUserId()
  await fill(userId, names)
  const page = await visit(site.page({ body: BAR, userId }), { ...TALL, ...options })
  await openPopup(page)
  await page
    .locator('notif-popup article')
    .nth(names.length - 1)
    .waitFor()
  await settled(page)
  return page
}

const rowOf = (page: Page, title: string) => page.locator('notif-popup article', { hasText: title })

/** Rows with buttons, progress and people; the times of a snooze; the line that takes an action back; fewer of a type. */
async function inboxes(): Promise<Buffer> {
  const content = await inboxOf(['invoice', 'timetable', 'report', 'mention', 'approval'])
  const snooze = await inboxOf(['invoice', 'map', 'shift', 'invitation', 'photos'])
  await rowOf(snooze, 'Mei Tanaka').hover()
  await rowOf(snooze, 'Mei Tanaka').getByRole('button', { name: 'Snooze' }).click()
  await snooze.getByRole('menu').waitFor()
  const undo = await inboxOf(['invoice', 'map', 'shift', 'invitation', 'photos'])
  await rowOf(undo, 'Mei Tanaka').hover()
  await rowOf(undo, 'Mei Tanaka').getByRole('button', { name: 'Archive' }).click()
  await undo.getByText('Undo').first().waitFor()
  return row(await Promise.all([content, snooze, undo].map(page => page.screenshot())), 492)
}

async function toasts(): Promise<Buffer> {
  const userId = createUserId()
  const body = BAR.replace('</div>', '</div><notif-toast></notif-toast>')
  const page = await visit(site.page({ body, userId }), {
    colorScheme: 'dark',
    viewport: { height: 480, width: 620 }
  })
  await page.locator('notif-popup .bell').waitFor()
  await fill(userId, ['shift'])
  await page.locator('notif-toast article').first().waitFor()
  // The clock of toasts stands still under the pointer.
  await page.locator('notif-toast article').first().hover()
  await fill(userId, ['fog', 'approval'])
  await page.locator('notif-toast article').nth(2).waitFor()
  await settled(page)
  return page.screenshot()
}

/** Preferences beside quiet hours, and a pause in the inbox. */
async function preferences(): Promise<Buffer> {
  const page = await demo('/', { colorScheme: 'dark', viewport: { height: 760, width: 1120 } })
  await openPopup(page)
  await chooseInMenu(page.locator('.top notif-popup'), 'Preferences')
  const dialog = page.getByRole('dialog', { name: 'Notification preferences' })
  await dialog.getByRole('switch').nth(3).waitFor()
  await settled(page)
  return page.screenshot()
}

const REFUSAL = '554 5.7.1 The message has a link that is on a blocklist'
const SUSPENSION = '553 5.7.1 This account is suspended'

/** Dead letters of a cause, then a mail account that is refused. */
async function dashboard(): Promise<void> {
  await using peer = await smtpPeer()
  await using company = await openFerryCompany(peer)
  const open = (path: string) =>
    signInWithToken(browser, `${company.site.base}/admin/${CLIENT}/${path}`, {
      reducedMotion: 'reduce',
      viewport: { height: 860, width: 1360 }
    })
  peer.refuse = { content: REFUSAL }
  for (const id of ['amara.osei', 'ida.berg', 'mei.tanaka', 'nour.haddad', 'tomas.vidal'])
    await company.send('ticket_receipt', id)
  await using letters = await open('dead-letters?channel=EMAIL&code=554')
  await letters.page.locator('.letters tbody tr').nth(4).waitFor({ timeout: 60_000 })
  await settled(letters.page)
  await keep('dashboard-dead-letters.png', await letters.page.screenshot())

  peer.refuse = { sender: () => SUSPENSION }
  for (const type of ['timetable_change', 'boarding_soon', 'crew_shift'])
    for (const id of ['ida.berg', 'mei.tanaka', 'nour.haddad']) await company.send(type, id)
  await using now = await open('now')
  await now.page
    .getByRole('heading', { level: 1, name: /^Email has been resting/ })
    .waitFor({ timeout: 90_000 })
  await fillCounts(company.site)
  await now.page.reload()
  await now.page.getByRole('heading', { level: 1, name: /^Email has been resting/ }).waitFor()
  await settled(now.page)
  await keep('dashboard-now.png', await now.page.screenshot({ fullPage: true }))
}

if (process.argv[2] !== 'dashboard') {
  await keep('demo-light.png', await light())
  await keep('popup-dark.png', await dark())
  await keep('phone.png', await phones())
  await keep('states.png', await states())
  await putTypes()
  await keep('inboxes.png', await inboxes())
  await keep('toasts.png', await toasts())
  await keep('preferences.png', await preferences())
}
await dashboard()
