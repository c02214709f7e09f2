// Delays an answer that the first web SDK of the hosted product would lose.
//
// That SDK asks for preferences when its socket opens, and starts to listen for the answer up to 100 ms later. If the answer
// comes sooner, its page waits forever.

import { setTimeout } from 'node:timers/promises'

/** Later requests were not sent while the socket opened, even on a slow connection. */
const OPENING_MS = 1000
/** The SDK checks its socket every 100 ms; the rest is for a busy page. */
const ANSWER_DELAY_MS = 150

/** @param openedAt - of the socket, on the clock of performance.now() */
export async function delayEarlyAnswer(route: string, openedAt: number): Promise<void> {
  const isOpening = performance.now() - openedAt <= OPENING_MS
  if (route !== 'user_preferences/get_preferences' || !isOpening) return
  await setTimeout(ANSWER_DELAY_MS, undefined, { ref: false })
}
