// Long lists beside lists made by hand: how soon they can be used, how soon all of them is there, and one more row that
// arrives live.
//
// Usable is a list when the rows that the window has room for are painted and the page has answered a message of its own
// since: from then on it scrolls, and a click is answered. Complete it is when every row is in the document and that is
// painted as well. A list made by hand is both at once.

import type { Browser } from 'playwright-core'

import { testDb } from '../support/db.ts'
import { bundle, openBrowser, site } from './browser.ts'
import { median, type Measurement, type Say } from './measure.ts'
import { BACK_END, CLIENT, serve, userHash, type Server } from './server.ts'

const ROWS = 1000
const MANY = 10_000
const USER = 'ada'

async function send(server: Server, title: string): Promise<void> {
  const answer = await fetch(`${server.base}/${CLIENT}/sender`, {
    body: JSON.stringify({
      inapp: { body: 'Could the ferry line move a little north?', title, url: '/maps/7' },
      to: { id: USER },
      type: 'bench_feed'
    }),
    headers: { authorization: BACK_END },
    method: 'POST'
  })
  if (!answer.ok) throw new Error(`A send was answered with ${answer.status}.`)
}

/**
 * Runs in the page before anything else. A row counts from the paint after the one that holds it: what a person sees.
 * The moment of a live message is when the page's socket hears it, before any code of the page does.
 */
function watch(rows: number): void {
  const state = { complete: 0, heard: 0, live: 0, longest: 0, usable: 0 }
  Object.assign(window, { bench: state })
  const list = (): Element | null | undefined =>
    document.querySelector('notif-feed')?.shadowRoot?.querySelector('.items') ?? document.querySelector('ol')
  // Headings of days stand between the rows, at most three.
  const count = (): number => list()?.childElementCount ?? 0
  const full = (): boolean => (list()?.getBoundingClientRect().bottom ?? 0) >= innerHeight
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
    if (!all && count() >= rows) {
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
        if (String(data).includes('the live one')) state.heard = performance.now()
      })
    }
  }
}

interface Times {
  readonly complete: number
  /** The longest task between usable and complete: so long a click may wait. Tasks below 50 ms are not told. */
  readonly longest: number
  readonly usable: number
  readonly live: number
}
type Told = Times & { readonly heard: number }

/** @param server - where a live row shall come from; absent: none */
async function visit(browser: Browser, address: string, rows: number, server?: Server): Promise<Times> {
  const context = await browser.newContext({ viewport: { height: 900, width: 800 } })
  try {
    const page = await context.newPage()
    page.on('pageerror', error => console.error(error))
    await page.addInitScript(watch, rows)
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
    if (!server) return first
    // The line is open by then, or the catch-up brings it: either is a message of the socket.
    await page.waitForTimeout(300)
    await send(server, 'the live one')
    const { heard, live } = await told('live')
    return { ...first, live: live - heard }
  } finally {
    await context.close()
  }
}

/** The list of a page's own: what the server gives at once ends at a thousand. */
const own = (): string =>
  JSON.stringify(
    Array.from({ length: MANY }, (_, index) => ({
      body: 'Could the ferry line move a little north?',
      date: new Date(Date.now() - index * 37_000).toISOString(),
      id: `n${index}`,
      redirectURL: '/maps/7',
      rev: 1,
      title: `Comment ${index} on Harbour map`,
      type: 'bench_feed'
    }))
  )

export async function feed({ rounds, say }: Say): Promise<Measurement[]> {
  await using database = await testDb()
  await using server = await serve(database.url)
  for (let n = 0; n < ROWS; n += 50) {
    await Promise.all(Array.from({ length: 50 }, (_, i) => send(server, `Comment ${n + i} on Harbour map`)))
  }
  const html = (name: string): string =>
    `<!doctype html><html lang="en"><title>${name}</title><link rel="icon" href="data:,"><body><script type="module" src="/${name}.js"></script></body></html>`
  await using host = await site({
    '/feed': html('feed'),
    '/feed.js': await bundle('feed.ts'),
    '/own.json': own(),
    '/vanilla': html('vanilla'),
    '/vanilla.js': await bundle('vanilla.ts')
  })
  const query = new URLSearchParams({
    apiUrl: server.base,
    clientId: CLIENT,
    userHash: userHash(USER),
    userId: USER
  })
  const browser = await openBrowser()

  /** Both lists in turns. */
  async function race(rows: number, search: string, from?: Server) {
    const mine: Times[] = []
    const theirs: Times[] = []
    // The first visit of each warms the browser up.
    for (let round = 0; round <= rounds; round += 1) {
      for (const [name, list] of [
        ['vanilla', theirs],
        ['feed', mine]
      ] as const) {
        const times = await visit(browser, `${host.base}/${name}?${search}`, rows, from)
        if (round > 0) list.push(times)
        const told = (['usable', 'complete', 'longest', 'live'] as const).map(
          key => `${key} ${times[key].toFixed(0)}`
        )
        say(`${name}, ${rows} rows: ${told.join(', ')} ms`)
      }
    }
    const of = (key: keyof Times) => ({
      ceiling: { name: 'vanilla', value: median(theirs.map(times => times[key])) },
      ours: median(mine.map(times => times[key])),
      ratio: median(mine.map((times, round) => times[key] / theirs[round]![key])),
      unit: 'ms'
    })
    return (key: keyof Times, name: string, promised?: readonly [number, number]): Measurement => ({
      ...of(key),
      better: 'below',
      ...(promised && { floor: promised[0], goal: promised[1], promised: 'value' }),
      ...(key === 'complete' && { facts: { longestTaskMeanwhile: of('longest').ours } }),
      name
    })
  }

  try {
    const few = await race(ROWS, String(query), server)
    const many = await race(MANY, 'list=/own.json')
    return [
      few('usable', `${ROWS} rows, page start to usable`, [291, 100]),
      few('complete', `${ROWS} rows, page start to complete`),
      few('live', `one live row into ${ROWS}, message to paint`, [22, 10]),
      many('usable', `${MANY} rows, page start to usable`, [451, 250]),
      many('complete', `${MANY} rows, page start to complete`)
    ]
  } finally {
    await browser.close()
  }
}
