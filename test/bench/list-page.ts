// A page with a long list in a browser of its own making: when it can be used, when all of it is there, and when a row
// that comes live is seen.
//
// Usable is a list when the rows that the window has room for are painted and the page has answered a message of its own
// since: from then on it scrolls, and a click is answered. Complete it is when every row is in the document and in the
// layout and that is painted as well. A list made by hand is both at once.

import type { Browser } from 'playwright-core'

/** Part of the title of the row that comes live: by it the page's socket knows its message. */
export const LIVE = 'the live one'

export interface Times {
  readonly complete: number
  /** The longest task between usable and complete: so long a click may wait. Tasks below 50 ms are not told. */
  readonly longest: number
  readonly usable: number
  /** From the socket's message to the paint; 0: none was sent. */
  readonly live: number
}
type Told = Times & { readonly heard: number }

interface Place {
  readonly live: string
  /** The element whose children are the rows, or blocks of them. */
  readonly list: string
  /** The element in whose shadow that is; absent: in the document. */
  readonly shadow?: string | undefined
  readonly blocks?: boolean | undefined
  readonly rows: number
}

/**
 * Runs in the page before anything else. A row counts from the paint after the one that holds it: what a person sees.
 * The moment of a live message is when the page's socket hears it, before any code of the page does.
 */
function watch({ blocks, list: selector, live, rows, shadow }: Place): void {
  const state = { complete: 0, heard: 0, live: 0, longest: 0, usable: 0 }
  Object.assign(window, { bench: state })
  const list = (): Element | null | undefined =>
    (shadow ? document.querySelector(shadow)?.shadowRoot : document)?.querySelector(selector)
  // Headings of days may stand between the rows, at most three.
  const count = (): number =>
    blocks
      ? [...(list()?.children ?? [])].reduce((sum, block) => sum + block.childElementCount, 0)
      : (list()?.childElementCount ?? 0)
  const full = (): boolean => (list()?.getBoundingClientRect().bottom ?? 0) >= innerHeight
  const laid = (): boolean => (list()?.lastElementChild?.getBoundingClientRect().height ?? 0) > 0
  const afterPaint = (then: () => void): void => {
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel()
      port1.addEventListener('message', then, { once: true })
      port1.start()
      port2.postMessage(0)
    })
  }
  let [filled, all, before] = [false, false, 0]
  const look = (): void => {
    if (!filled && count() > 0 && full()) {
      filled = true
      afterPaint(() => (state.usable = performance.now()))
    }
    if (!all && count() >= rows && laid()) {
      all = true
      afterPaint(() => {
        before = count()
        state.complete = performance.now()
      })
    }
    if (state.heard > 0 && count() > before) {
      afterPaint(() => (state.live = performance.now()))
      return
    }
    // A frame is the finest that can be seen.
    requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
  new PerformanceObserver(tasks => {
    for (const { duration, startTime } of tasks.getEntries()) {
      if (state.usable > 0 && startTime >= state.usable) state.longest = Math.max(state.longest, duration)
    }
  }).observe({ type: 'longtask' })
  const Native = window.WebSocket
  window.WebSocket = class extends Native {
    constructor(address: string | URL, protocols?: string | string[]) {
      super(address, protocols)
      this.addEventListener('message', ({ data }) => {
        if (String(data).includes(live)) state.heard = performance.now()
      })
    }
  }
}

/**
 * Opens the page and closes it again.
 *
 * @param place - where its list is, and how many rows it shall have
 * @param send - makes a row arrive whose title holds {@link LIVE}; absent: none comes
 */
export async function visit(
  browser: Browser,
  address: string,
  place: Omit<Place, 'live'>,
  send?: () => unknown
): Promise<Times> {
  const context = await browser.newContext({ viewport: { height: 900, width: 800 } })
  try {
    const page = await context.newPage()
    page.on('pageerror', error => console.error(error))
    await page.addInitScript(watch, { ...place, live: LIVE })
    await page.goto(address)
    const told = (name: keyof Times): Promise<Told> =>
      page
        .waitForFunction(
          key => {
            const { bench } = window as unknown as { bench: Told }
            return bench[key as 'live'] && { ...bench }
          },
          name,
          { timeout: 60_000 }
        )
        .then(handle => handle.jsonValue() as Promise<Told>)
    const first = await told('complete')
    if (!send) return first
    // The line is open by then, or the catch-up brings it: either is a message of the socket.
    await page.waitForTimeout(300)
    await send()
    const { heard, live } = await told('live')
    return { ...first, live: live - heard }
  } finally {
    await context.close()
  }
}
