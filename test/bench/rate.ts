// Messages at a steady rate, and how long each took until the last tab had it.

import { percentile } from './measure.ts'

export interface Receipts {
  readonly sent: number
  /** Messages that every tab received. */
  readonly received: number
  /** Milliseconds from the intended time of the send to the receipt of the last tab. */
  readonly p50: number
  readonly p99: number
}

export interface Line {
  send(key: number): void
  close(): void
}

/** How long after the last send a message may still arrive before it counts as lost, in milliseconds. */
const PATIENCE = 5_000

/**
 * @param open - gives a line on which `send` makes `received` be called once by each tab
 */
export async function atRate(
  perSecond: number,
  seconds: number,
  tabs: number,
  open: (received: (key: number) => void) => Promise<Line>
): Promise<Receipts> {
  const total = Math.round(perSecond * seconds)
  const started = new Float64Array(total)
  const seen = new Uint8Array(total)
  const times: number[] = []
  const { promise: all, resolve } = Promise.withResolvers<void>()
  const line = await open(key => {
    seen[key]! += 1
    if (seen[key] !== tabs) return
    times.push(performance.now() - started[key]!)
    if (times.length === total) resolve()
  })
  const began = performance.now()
  let key = 0
  const sending = Promise.withResolvers<void>()
  const timer = setInterval(() => {
    const due = Math.min(total, Math.floor(((performance.now() - began) / 1000) * perSecond))
    for (; key < due; key += 1) {
      // Of the intended time: a sender that comes late would hide what it waited for.
      started[key] = began + (key * 1000) / perSecond
      line.send(key)
    }
    if (key === total) sending.resolve()
  }, 1)
  await sending.promise
  clearInterval(timer)
  await Promise.race([all, new Promise(late => setTimeout(late, PATIENCE).unref())])
  line.close()
  return { p50: percentile(times, 0.5), p99: percentile(times, 0.99), received: times.length, sent: total }
}
