// The page of one state, in a frame of the gallery: what opens above the page has this page for itself.

import { render } from 'lit'

import type { State } from './state.ts'
import { settled } from './tile.ts'

export async function drawWindow(main: HTMLElement, { look, name, play }: State): Promise<void> {
  document.title = name
  document.querySelector('h1')!.textContent = name
  const place = main.appendChild(document.createElement('div'))
  render(look(), place)
  await play?.(place).catch((error: unknown) => console.warn(name, error))
  await settled()
  frameElement?.dispatchEvent(new Event('done'))
}
