// An inbox that is opened and closed a thousand times: what is left of it, after the garbage is collected.

import type { CDPSession, Page } from 'playwright-core'

import { testDb } from '../support/db.ts'
import { bundle, openBrowser, site } from './browser.ts'
import type { Measurement, Say } from './measure.ts'
import { BACK_END, CLIENT, serve, userHash, type Server } from './server.ts'

const ROUNDS = 1000
/** Rounds before the first look: what is made once and kept, and code that the browser translates when it is used often. */
const WARM = 500
const ROWS = 20
const USER = 'ada'

async function fill(server: Server): Promise<void> {
  for (let n = 0; n < ROWS; n += 1) {
    const answer = await fetch(`${server.base}/${CLIENT}/sender`, {
      body: JSON.stringify({ inapp: { title: `Comment ${n}` }, to: { id: USER }, type: 'bench_leaks' }),
      headers: { authorization: BACK_END },
      method: 'POST'
    })
    if (!answer.ok) throw new Error(`A send was answered with ${answer.status}.`)
  }
}

/** As a person does it: it is seen open before it closes. */
const openAndClose = (page: Page, times: number): Promise<void> =>
  page.evaluate(async times => {
    const frame = (): Promise<unknown> => new Promise(requestAnimationFrame)
    const popup = document.querySelector('notif-popup')!
    for (let time = 0; time < times; time += 1) {
      await popup.show()
      await frame()
      if (!popup.shadowRoot!.querySelector('article')) throw new Error('It opened without rows.')
      popup.hide()
      await frame()
    }
  }, times)

interface Held {
  readonly bytes: number
  readonly nodes: number
  readonly listeners: number
}

async function held(cdp: CDPSession): Promise<Held> {
  // What a finaliser lets go of is garbage only the next time.
  for (let time = 0; time < 3; time += 1) await cdp.send('HeapProfiler.collectGarbage')
  const { jsEventListeners, nodes } = await cdp.send('Memory.getDOMCounters')
  const { usedSize } = await cdp.send('Runtime.getHeapUsage')
  return { bytes: usedSize, listeners: jsEventListeners, nodes }
}

export async function leaks({ say }: Say): Promise<Measurement[]> {
  await using database = await testDb()
  await using server = await serve(database.url)
  await fill(server)
  await using host = await site({
    '/': '<!doctype html><html lang="en"><title>leaks</title><link rel="icon" href="data:,"><body><script type="module" src="/popup.js"></script></body></html>',
    '/popup.js': await bundle('popup.ts')
  })
  const query = new URLSearchParams({
    apiUrl: server.base,
    clientId: CLIENT,
    userHash: userHash(USER),
    userId: USER
  })
  const browser = await openBrowser()
  try {
    const page = await browser.newPage()
    await page.goto(`${host.base}/?${query}`)
    await page.evaluate(() => document.querySelector('notif-popup')!.show())
    await page
      .locator('notif-popup article')
      .nth(ROWS - 1)
      .waitFor()
    const cdp = await page.context().newCDPSession(page)
    await openAndClose(page, WARM)
    const before = await held(cdp)
    await openAndClose(page, ROUNDS)
    const after = await held(cdp)
    say(`${before.bytes} bytes before, ${after.bytes} after ${ROUNDS} rounds`)
    return [
      {
        better: 'below',
        facts: {
          listenersMore: after.listeners - before.listeners,
          nodes: after.nodes,
          nodesMore: after.nodes - before.nodes
        },
        floor: 256,
        goal: 64,
        name: `${ROUNDS} times opened and closed, heap kept by each`,
        ours: Math.max(0, after.bytes - before.bytes) / ROUNDS,
        promised: 'value',
        unit: 'bytes'
      }
    ]
  } finally {
    await browser.close()
  }
}
