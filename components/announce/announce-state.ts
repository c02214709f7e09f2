// Announces an empty state or a banner to screen readers: they appear without a change of focus.

import type { ReactiveElement } from '@lit/reactive-element'

import { announce, type Sentence } from './live-region.ts'

type Host = ReactiveElement & { readonly language: { readonly messagesLang: string } }

export const OFFLINE_BANNER = '.banner :has(b)'
export const EMPTY_STATE_TITLE = '.empty-state-title'

/** Announces the text that `selector` finds, if it is visible now and when it is announced. */
export async function announceState(host: Host, selector = EMPTY_STATE_TITLE): Promise<void> {
  await host.updateComplete
  const readSentence: Sentence = () => {
    const place = host.renderRoot.querySelector(selector)
    return [place?.checkVisibility() && place.textContent!, host.language.messagesLang]
  }
  if (readSentence()[0]) announce(readSentence)
}
