// The first opening of a popup on a link of 50 ms, from the click to the first row. The pointer does not come first, as on a touch
// screen. What counts is how many requests wait for one another: that number does not depend on the machine.

import type { Page } from 'playwright-core'

import { ensureBuilt } from '../e2e/build.ts'
import { testDb } from '../support/db.ts'
import { openBrowser, site } from './browser.ts'
import { median, type Measurement, type Say } from './measure.ts'
import { BACK_END, CLIENT, serve, userHash } from './server.ts'

const LATENCY_MS = 50
const USER = 'ada'

interface Visit {
  readonly openingMs: number
  readonly roundTripMs: number
  /** Requests of the opening, of which each began after the one before it was answered. */
  readonly requestsInTurn: number
}

/** Runs in the page. */
async function openPopup(): Promise<Visit> {
  const askServer = async (): Promise<number> => {
    const from = performance.now()
    await (await fetch(`/one-trip?${from}`, { cache: 'no-store' })).text()
    return performance.now() - from
  }
  // The first one opens the connection.
  await askServer()
  const roundTrips = [await askServer(), await askServer(), await askServer()].sort((a, b) => a - b)
  const root = document.querySelector('notif-popup')!.shadowRoot!
  const from = performance.now()
  root.querySelector<HTMLElement>('.bell')!.click()
  while (!root.querySelector('article')) await new Promise(requestAnimationFrame)
  const until = performance.now()
  const requests = (performance.getEntriesByType('resource') as PerformanceResourceTiming[])
    .filter(({ responseEnd, startTime }) => startTime >= from && responseEnd > 0 && responseEnd <= until)
    .sort((one, other) => one.responseEnd - other.responseEnd)
  let requestsInTurn = 0
  let answeredAt = 0
  for (const { responseEnd, startTime } of requests) {
    if (startTime < answeredAt) continue
    requestsInTurn += 1
    answeredAt = responseEnd
  }
  return { openingMs: until - from, requestsInTurn, roundTripMs: roundTrips[1]! }
}

async function visit(page: Page, address: string): Promise<Visit> {
  const cdp = await page.context().newCDPSession(page)
  await page.goto(address)
  await page.locator('notif-popup .badge').waitFor()
  await page.waitForLoadState('networkidle')
  await cdp.send('Network.emulateNetworkConditions', {
    downloadThroughput: -1,
    latency: LATENCY_MS,
    offline: false,
    uploadThroughput: -1
  })
  return page.evaluate(openPopup)
}

export async function opening({ rounds, say }: Say): Promise<Measurement[]> {
  await ensureBuilt()
  await using database = await testDb()
  await using server = await serve(database.url)
  await fetch(`${server.base}/${CLIENT}/sender`, {
    body: JSON.stringify({ inapp: { title: 'First' }, to: { id: USER }, type: 'bench_opening' }),
    headers: { authorization: BACK_END },
    method: 'POST'
  })
  await using host = await site({
    '/': `<!doctype html><html lang="en"><title>opening</title><link rel="icon" href="data:,">
      <script type="module" src="${server.base}/notif.js" data-client-id="${CLIENT}" data-user-id="${USER}"
        data-user-hash="${userHash(USER)}"></script><notif-popup></notif-popup></html>`,
    '/one-trip': 'ok'
  })
  const browser = await openBrowser()
  const visits: Visit[] = []
  try {
    for (let round = 0; round < rounds; round += 1) {
      const page = await browser.newPage()
      const times = await visit(page, host.base)
      const { openingMs, requestsInTurn, roundTripMs } = times
      say(`${openingMs.toFixed()} ms, round trip ${roundTripMs.toFixed()} ms, ${requestsInTurn} in turn`)
      visits.push(times)
      await page.close()
    }
  } finally {
    await browser.close()
  }
  return [
    {
      better: 'below',
      ceiling: { name: 'one round trip', value: median(visits.map(({ roundTripMs }) => roundTripMs)) },
      facts: { requestsInTurn: median(visits.map(({ requestsInTurn }) => requestsInTurn)) },
      name: `first opening of a popup, link of ${LATENCY_MS} ms`,
      ours: median(visits.map(({ openingMs }) => openingMs)),
      ratio: median(visits.map(({ openingMs, roundTripMs }) => openingMs / roundTripMs)),
      unit: 'ms'
    }
  ]
}
