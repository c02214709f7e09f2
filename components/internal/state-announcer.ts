// Speaks what takes the place of rows, or stands above them: it is seen by itself, but not heard.

import type { ReactiveElement } from '@lit/reactive-element'

import { announce } from './announcer.ts'

export async function announceState({ renderRoot, updateComplete }: ReactiveElement): Promise<void> {
  await updateComplete
  const place = renderRoot.querySelector('.note :has(b), .blank-title')
  if (place?.checkVisibility()) announce(() => place.textContent!)
}
