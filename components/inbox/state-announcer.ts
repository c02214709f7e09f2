// Speaks what takes the place of rows, or stands above them: it is seen by itself, but not heard.

import { announce, type Sentence } from '../internal/announcer.ts'
import type { InboxElement } from './inbox-element.ts'

export const NOTE = '.note :has(b)'
export const BLANK = '.blank-title'

/** Speaks what `selector` finds, if that is to be seen now and still is when its turn has come. */
export async function announceState(host: InboxElement, selector = BLANK): Promise<void> {
  await host.updateComplete
  const read: Sentence = () => {
    const place = host.renderRoot.querySelector(selector)
    return [place?.checkVisibility() && place.textContent!, host.language.tongue]
  }
  if (read()[0]) announce(read)
}
