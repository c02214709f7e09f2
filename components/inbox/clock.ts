// Renders relative times again at every full minute, with one timer for all elements of a page.

import type { ReactiveController, ReactiveControllerHost } from '@lit/reactive-element'

import type { NotifStore } from '../store/types.ts'

const MINUTE = 60_000

const clocks = new Set<ClockController>()
let timer: ReturnType<typeof setTimeout> | undefined

function tick(): void {
  for (const clock of clocks) clock.host.requestUpdate()
  schedule()
}

// A hidden page needs no times; when it becomes visible again, it shows the right ones immediately.
function schedule(): void {
  clearTimeout(timer)
  if (clocks.size === 0 || document.hidden) return
  timer = setTimeout(tick, Math.min(...[...clocks].map(({ now }) => MINUTE - (now % MINUTE))))
}

/** Renders its host again at every full minute of the store's server while the host is on a visible page. */
export class ClockController implements ReactiveController {
  readonly host: ReactiveControllerHost
  readonly #store: () => NotifStore | undefined

  constructor(host: ReactiveControllerHost, store: () => NotifStore | undefined) {
    this.host = host
    this.#store = store
    host.addController(this)
  }

  get now(): number {
    // A store that the page wrote itself may have no clock.
    return this.#store()?.now?.() ?? Date.now()
  }

  hostConnected(): void {
    clocks.add(this)
    document.addEventListener('visibilitychange', tick)
    schedule()
  }

  hostDisconnected(): void {
    clocks.delete(this)
    if (clocks.size > 0) return
    document.removeEventListener('visibilitychange', tick)
    schedule()
  }
}
