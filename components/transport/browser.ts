// The page as surroundings: its visibility, its network and its going away. Without a page (Node, a worker): clock and timers.

import type { Environment, Signal } from './environment.ts'

/** Longest wait for a first paint, in milliseconds: a page may be open for hours before anyone looks at it. */
const PAINT = 500

function watch(listener: (signal: Signal) => void): () => void {
  if (typeof document === 'undefined') return () => {}
  const ended = new AbortController()
  const on = (target: EventTarget, type: string, signal: () => Signal): void =>
    target.addEventListener(type, () => listener(signal()), { signal: ended.signal })
  const seen = (): Signal => (document.hidden ? 'hide' : 'show')
  on(document, 'visibilitychange', seen)
  on(window, 'pageshow', seen)
  // A page with an open socket or a held lock is not kept for "back".
  on(window, 'pagehide', () => 'freeze')
  on(window, 'online', () => 'wake')
  on(window, 'offline', () => 'lost')
  if (document.hidden) listener('hide')
  return () => ended.abort()
}

const after = (ms: number, callback: () => void): (() => void) => {
  const timer = setTimeout(callback, ms)
  return () => clearTimeout(timer)
}

const ready = (): Promise<void> =>
  new Promise(resolve => {
    if (typeof requestAnimationFrame === 'undefined') return resolve()
    // The frame's callback runs before its paint, a task queued there after it.
    requestAnimationFrame(() => setTimeout(resolve))
    setTimeout(resolve, PAINT)
  })

export const surroundings: Environment = { after, now: () => Date.now(), ready, watch }
