// One timer for all relative times of a page.

import type { ReactiveController, ReactiveControllerHost } from '@lit/reactive-element'

import { clock } from '../store/clock.ts'

const MINUTE = 60_000

const hosts = new Set<ReactiveControllerHost>()
let timer: ReturnType<typeof setTimeout> | undefined

function tick(): void {
  for (const host of hosts) host.requestUpdate()
  plan()
}

// Nobody reads a hidden page; coming back shows the right times at once.
function plan(): void {
  clearTimeout(timer)
  timer = hosts.size > 0 && !document.hidden ? setTimeout(tick, MINUTE - (clock.now() % MINUTE)) : undefined
}

/** Renders its host again at every full minute while it is on the page and the page is seen. */
export class ClockController implements ReactiveController {
  readonly #host: ReactiveControllerHost

  constructor(host: ReactiveControllerHost) {
    this.#host = host
    host.addController(this)
  }

  get now(): number {
    return clock.now()
  }

  hostConnected(): void {
    hosts.add(this.#host)
    document.addEventListener('visibilitychange', tick)
    plan()
  }

  hostDisconnected(): void {
    hosts.delete(this.#host)
    if (hosts.size > 0) return
    document.removeEventListener('visibilitychange', tick)
    plan()
  }
}
