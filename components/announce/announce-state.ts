// Speaks what takes the place of rows, or stands above them: it is seen by itself, but not heard.

import type { ReactiveElement } from '@lit/reactive-element'

import { announce, type Sentence } from './live-region.ts'

type Host = ReactiveElement & { readonly language: { readonly tongue: string } }

export const OFFLINE_BANNER = '.banner :has(b)'
export const EMPTY_STATE_TITLE = '.empty-state-title'

/** Speaks what `selector` finds, if that is to be seen now and still is when its turn has come. */
export async function announceState(host: Host, selector = EMPTY_STATE_TITLE): Promise<void> {
  await host.updateComplete
  const read: Sentence = () => {
    const place = host.renderRoot.querySelector(selector)
    return [place?.checkVisibility() && place.textContent!, host.language.tongue]
  }
  if (read()[0]) announce(read)
}
