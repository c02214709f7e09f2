// The pause of the user, which a bell shows without the preferences: from the greeting and from each change, until its time is over.

import { atom, type ReadableAtom } from 'nanostores'

import { NO_PAUSE, type Pause } from '../protocol/index.ts'
import type { BaseEnvironment } from '../store/environment.ts'
import { publish } from '../store/publish.ts'

/** Browsers have no longer timers than 24 days. */
const MAX_TIMER_MS = 86_400_000

interface LivePause {
  readonly $pause: ReadableAtom<Pause | undefined>
  set(pause: Pause | undefined): void
}

export function createLivePause({ after, now }: Pick<BaseEnvironment, 'after' | 'now'>): LivePause {
  const $pause = atom<Pause | undefined>()
  let cancelTimer = (): void => {}
  function set(pause: Pause | undefined): void {
    cancelTimer()
    const leftMs = pause?.isOn && pause.until !== null ? Date.parse(pause.until) - now() : undefined
    if (leftMs !== undefined && leftMs > 0)
      cancelTimer = after(Math.min(leftMs, MAX_TIMER_MS), () => set(pause))
    const isOver = leftMs !== undefined && !(leftMs > 0)
    publish(() => $pause.set(isOver ? NO_PAUSE : pause && Object.freeze(pause)))
  }
  return { $pause, set }
}
