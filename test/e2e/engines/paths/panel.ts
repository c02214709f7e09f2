// Where the panel opens, and that it looks as it should: wide, narrow and low windows, from right to left, dark.

import assert from 'node:assert/strict'

import { BELL, path, TITLES, type Visit } from './path.ts'

const PANEL = 'notif-popup >> .panel'
const atEnd = '<div style="display: flex; justify-content: end"><notif-popup></notif-popup></div>'

/** Opens the panel, and checks that it is inside the window, beside its bell, and drawn. */
async function check({ open, send }: Visit, options: Parameters<Visit['open']>[0] = {}): Promise<void> {
  await send('Spring', { body: 'From 28 March.' })
  const page = await open({ body: atEnd, ...options })
  await page.click(BELL)
  await page.lists(TITLES, 'Spring')
  // It moves while it opens.
  const look = (find: (target: string) => HTMLElement[], target: string): string => {
    const { opacity, translate } = getComputedStyle(find(target)[0]!)
    return `${opacity} ${translate}`
  }
  await page.shows(look, '1 none', PANEL)
  const [bell, panel] = [await page.box(BELL), await page.box(PANEL)]
  const size = await page.evaluate(() => ({ height: innerHeight, width: innerWidth }))
  const told = JSON.stringify({ bell, panel, size })
  assert.ok(panel.x >= 0 && panel.y >= 0, told)
  assert.ok(panel.x + panel.width <= size.width && panel.y + panel.height <= size.height, told)
  if (size.width < 480) return assert.equal(panel.width, size.width, told)
  const apart =
    panel.y >= bell.y + bell.height ||
    panel.y + panel.height <= bell.y ||
    panel.x >= bell.x + bell.width ||
    panel.x + panel.width <= bell.x
  assert.ok(apart, told)
  assert.ok(panel.width >= 250 && panel.height >= 200, told)
}

export const panel = path('the panel opens below its bell', visit => check(visit))

export const rtlPanel = path('from right to left the panel opens below its bell', visit =>
  check(visit, { dir: 'rtl', lang: 'ar' })
)

export const darkPanel = path('a dark page has a dark panel', async ({ open, send }) => {
  await send('Spring')
  const style = '<style>:root { color-scheme: dark; background: #111; color: #eee }</style>'
  const page = await open({ body: style + atEnd })
  await page.click(BELL)
  await page.lists(TITLES, 'Spring')
  // Lightness of the background and of the text, which the engines write in different colour spaces.
  const lightness = await page.evaluate((find, target) => {
    const { backgroundColor, color } = getComputedStyle(find(target)[0]!)
    const context = document.createElement('canvas').getContext('2d')!
    return [backgroundColor, color].map(text => {
      context.fillStyle = text
      context.fillRect(0, 0, 1, 1)
      const [red, green, blue] = context.getImageData(0, 0, 1, 1).data
      return (red! + green! + blue!) / 3
    })
  }, PANEL)
  assert.ok(lightness[0]! < 80 && lightness[1]! > 180, `${lightness}`)
})

export const narrowPanel = path('on a phone the panel covers the page', visit => check(visit), {
  height: 640,
  width: 320
})

export const shortPanel = path('in a low window the panel is beside its bell', visit => check(visit), {
  height: 360,
  width: 800
})

export const emptyPanel = path('the whole panel of an empty inbox shows', async ({ open }) => {
  const page = await open()
  await page.hover(BELL)
  const isLoaded = (): boolean =>
    document.querySelector('notif-popup')!.shadowRoot!.querySelector('.panel') !== null
  await page.shows(isLoaded, true)
  // Read once, when any movement is over: Firefox works the style out anew for a page that reads it meanwhile.
  const look = await page.evaluate(async () => {
    const panel = document.querySelector('notif-popup')!.shadowRoot!.querySelector<HTMLElement>('.panel')!
    panel.showPopover()
    for (let frames = 0; frames < 40; frames++) await new Promise(requestAnimationFrame)
    const { opacity, translate } = getComputedStyle(panel)
    return `${opacity} ${translate}`
  })
  assert.equal(look, '1 none')
})
