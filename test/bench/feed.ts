// A thousand rows: all painted after the start of the page, and one more that arrives live, beside a list made by hand.

import type { Browser } from 'playwright-core'

import { testDb } from '../support/db.ts'
import { bundle, openBrowser, site } from './browser.ts'
import { median, type Measurement, type Say } from './measure.ts'
import { BACK_END, CLIENT, serve, userHash, type Server } from './server.ts'

const ROWS = 1000
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
  const state = { heard: 0, live: 0, painted: 0 }
  Object.assign(window, { bench: state })
  const count = (): number => {
    const feed = document.querySelector('notif-feed')?.shadowRoot
    return feed ? feed.querySelectorAll('[part~="item"]').length : document.querySelectorAll('ol > li').length
  }
  const afterPaint = (then: () => void): void => {
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel()
      port1.addEventListener('message', then, { once: true })
      port1.start()
      port2.postMessage(0)
    })
  }
  const look = (): void => {
    const now = count()
    if (state.painted === 0 && now >= rows) afterPaint(() => (state.painted = performance.now()))
    if (state.heard > 0 && now > rows) {
      afterPaint(() => (state.live = performance.now()))
      return
    }
    // A frame is the finest that can be seen.
    requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
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
  readonly painted: number
  readonly live: number
}

async function visit(browser: Browser, address: string, server: Server): Promise<Times> {
  const context = await browser.newContext({ viewport: { height: 900, width: 800 } })
  try {
    const page = await context.newPage()
    page.on('pageerror', error => console.error(error))
    await page.addInitScript(watch, ROWS)
    await page.goto(address)
    const at = (name: keyof Times): Promise<number> =>
      page
        .waitForFunction(key => (window as unknown as { bench: Times }).bench[key as 'live'], name, {
          timeout: 30_000
        })
        .then(handle => handle.jsonValue())
    const painted = await at('painted')
    // The line is open by then, or the catch-up brings it: either is a message of the socket.
    await page.waitForTimeout(300)
    await send(server, 'the live one')
    const live = await at('live')
    const heard = await page.evaluate(() => (window as unknown as { bench: { heard: number } }).bench.heard)
    return { live: live - heard, painted }
  } finally {
    await context.close()
  }
}

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
  try {
    const mine: Times[] = []
    const theirs: Times[] = []
    // The first visit of each warms the browser up.
    for (let round = 0; round <= rounds; round += 1) {
      for (const [name, list] of [
        ['vanilla', theirs],
        ['feed', mine]
      ] as const) {
        const times = await visit(browser, `${host.base}/${name}?${query}`, server)
        if (round > 0) list.push(times)
        say(`${name}: painted ${times.painted.toFixed(0)} ms, live ${times.live.toFixed(1)} ms`)
      }
    }
    const measurement = (key: keyof Times, name: string, floor: number, goal: number): Measurement => ({
      better: 'below',
      ceiling: { name: 'vanilla', value: median(theirs.map(times => times[key])) },
      floor,
      goal,
      name,
      ours: median(mine.map(times => times[key])),
      promised: 'value',
      ratio: median(mine.map((times, round) => times[key] / theirs[round]![key])),
      unit: 'ms'
    })
    return [
      measurement('painted', `${ROWS} rows, page start to painted`, 291, 100),
      measurement('live', `one live row into ${ROWS}, message to paint`, 22, 10)
    ]
  } finally {
    await browser.close()
  }
}
