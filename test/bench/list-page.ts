// A page with a long list in a browser of its own making: when it can be used, when all of it is there, and when a row
// that comes live is seen.
//
// Usable is a list when the rows that the window has room for are painted and the page has answered a message of its own
// since: from then on it scrolls, and a click is answered. Complete it is when every row is in the document and in the
// layout and that is painted as well. A list made by hand is both at once.
//
// Both are told from the start of the page, with the way of the script and of the rows in them, and from the moment when
// the page is answered with its rows: what comes after that is the list's own. A display that shows sixty frames a second
// makes all wait for up to 17 ms, so what the page's main thread works meanwhile is told as well.

import type { Browser } from 'playwright-core'

import { workBetween, type Trace } from './main-thread.ts'

/** Part of the title of the row that comes live: by it the page's socket knows its message. */
export const LIVE = 'the live one'

export interface Times {
  /** When the request for the rows was answered; the last one, where a page has several. */
  readonly answered: number
  readonly complete: number
  /** The longest task between usable and complete: so long a click may wait. Tasks below 50 ms are not told. */
  readonly longest: number
  readonly usable: number
  /** From the socket's message to the paint after the one that holds the row; 0: none was sent. */
  readonly live: number
  /** From the socket's message to the end of the frame that holds the row; 0: none was sent. */
  readonly frame: number
  /** What the main thread works from the answer until the list is usable, in milliseconds of its processor. */
  readonly usableWork: number
  /** The same until it is complete. */
  readonly work: number
  /** The same from the socket's message to the end of the row's frame; 0: none was sent. */
  readonly liveWork: number
}
type Told = Omit<Times, 'liveWork' | 'usableWork' | 'work'> & { readonly heard: number }

interface Place {
  readonly live: string
  /** Part of the address from which the page has its rows. */
  readonly asks: string
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
function watch({ asks, blocks, list: selector, live, rows, shadow }: Place): void {
  const state = { answered: 0, complete: 0, frame: 0, heard: 0, live: 0, longest: 0, usable: 0 }
  Object.assign(window, { bench: state })
  /** Also for the browser's own record of what its threads did. */
  const note = (name: keyof typeof state): void => {
    performance.mark(name)
    state[name] = performance.now()
  }
  const list = (): Element | null | undefined =>
    (shadow ? document.querySelector(shadow)?.shadowRoot : document)?.querySelector(selector)
  // Headings of days may stand between the rows, at most three.
  const count = (): number =>
    blocks
      ? [...(list()?.children ?? [])].reduce((sum, block) => sum + block.childElementCount, 0)
      : (list()?.childElementCount ?? 0)
  const full = (): boolean => (list()?.getBoundingClientRect().bottom ?? 0) >= innerHeight
  const laid = (): boolean => (list()?.lastElementChild?.getBoundingClientRect().height ?? 0) > 0
  /** Of a frame whose callbacks run. */
  const atItsEnd = (then: () => void): void => {
    const { port1, port2 } = new MessageChannel()
    port1.addEventListener('message', then, { once: true })
    port1.start()
    port2.postMessage(0)
  }
  const afterPaint = (then: () => void): void => void requestAnimationFrame(() => atItsEnd(then))
  let [filled, all, before] = [false, false, 0]
  const look = (): void => {
    if (!filled && count() > 0 && full()) {
      filled = true
      afterPaint(() => note('usable'))
    }
    if (!all && count() >= rows && laid()) {
      all = true
      afterPaint(() => {
        before = count()
        note('complete')
      })
    }
    if (state.heard > 0 && count() > before) {
      atItsEnd(() => note('frame'))
      afterPaint(() => note('live'))
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
  const answered = (address: unknown): void => {
    if (!filled && String(address).includes(asks)) note('answered')
  }
  const { fetch, XMLHttpRequest } = window
  window.fetch = async (...request) => {
    const answer = await fetch(...request)
    answered(answer.url)
    return answer
  }
  window.XMLHttpRequest = class extends XMLHttpRequest {
    constructor() {
      super()
      this.addEventListener('readystatechange', () => {
        if (this.readyState === this.HEADERS_RECEIVED) answered(this.responseURL)
      })
    }
  }
  const Native = window.WebSocket
  window.WebSocket = class extends Native {
    constructor(address: string | URL, protocols?: string | string[]) {
      super(address, protocols)
      this.addEventListener('message', ({ data }) => {
        if (String(data).includes(live)) note('heard')
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
    await browser.startTracing(page, { categories: ['blink.user_timing', 'toplevel'] })
    await page.goto(address)
    const told = (name: keyof Told): Promise<Told> =>
      page
        .waitForFunction(
          key => {
            const { bench } = window as unknown as { bench: Told }
            return bench[key] && { ...bench }
          },
          name,
          { timeout: 60_000 }
        )
        .then(handle => handle.jsonValue() as Promise<Told>)
    let times = await told('complete')
    if (send) {
      // The line is open by then, or the catch-up brings it: either is a message of the socket.
      await page.waitForTimeout(300)
      await send()
      times = await told('live')
    }
    const { traceEvents } = JSON.parse(String(await browser.stopTracing())) as Trace
    const { frame, heard, live } = times
    return {
      ...times,
      frame: send ? frame - heard : 0,
      live: send ? live - heard : 0,
      liveWork: send ? workBetween(traceEvents, 'heard', 'frame') : 0,
      usableWork: workBetween(traceEvents, 'answered', 'usable'),
      work: workBetween(traceEvents, 'answered', 'complete')
    }
  } finally {
    await context.close()
  }
}
