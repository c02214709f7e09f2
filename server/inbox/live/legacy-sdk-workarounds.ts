// The hosted product's first SDK for pages asks for preferences in the moment in which its socket opens, and begins to
// listen for the answer when it next looks whether the socket is open, which it does every 100 ms. An answer that comes
// sooner is lost, and its page waits for ever. So the answer to what was asked while the socket opened waits a little.

import { setTimeout } from 'node:timers/promises'

/** Milliseconds: what comes this long after the opening was not asked before it. On a slower line the way takes longer. */
const OPENING = 1000
/** Milliseconds: one look of theirs, and what a busy page takes. */
const LOOK = 150

/** @param openedAt - of the socket, on the clock of performance.now() */
export async function untilTheyListen(route: string, openedAt: number): Promise<void> {
  if (route !== 'user_preferences/get_preferences' || performance.now() - openedAt > OPENING) return
  await setTimeout(LOOK, undefined, { ref: false })
}
