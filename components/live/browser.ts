// The environment of a store in a page: clock, timers, visibility, network and unload. In Node or a worker: clock and timers.

import { createServerClock, type BaseEnvironment, type Signal } from '../store/environment.ts'

function watch(listener: (signal: Signal) => void): () => void {
  if (typeof document === 'undefined') return () => {}
  const end = new AbortController()
  const on = (target: EventTarget, type: string, signal: () => Signal): void =>
    target.addEventListener(type, () => listener(signal()), { signal: end.signal })
  const visibility = (): Signal => (document.hidden ? 'hide' : 'show')
  on(document, 'visibilitychange', visibility)
  on(window, 'pageshow', visibility)
  // A page with an open socket or a held lock does not enter the back-forward cache.
  on(window, 'pagehide', () => 'freeze')
  on(window, 'online', () => 'wake')
  on(window, 'offline', () => 'lost')
  if (document.hidden) listener('hide')
  return () => end.abort()
}

const after = (ms: number, callback: () => void): (() => void) => {
  const timer = setTimeout(callback, ms)
  return () => clearTimeout(timer)
}

/** Each store has its own: two stores of a page may belong to servers whose clocks differ. */
export function createEnvironment(): BaseEnvironment {
  const clock = createServerClock()
  return { after, clock, now: clock.now, watch }
}
