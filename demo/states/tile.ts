// A tile of the gallery: the look of a state, which is built when it is asked for, or its code, and the switch between the two.

import { html, render, type TemplateResult } from 'lit'

import { toId } from './groups.ts'
import { highlight } from './highlight.ts'
import type { Code, State } from './state.ts'

/** Progress of the look of a tile, in `data-look`. */
export type Progress = 'built' | 'done' | 'waiting'

const codeTemplate = (name: string, code: Code): TemplateResult =>
  html`<div class="code" tabindex="0" role="group" aria-label="Code of ${name}">
    ${Object.entries(code).map(
      ([title, text]) =>
        html`<p class="code-title">${title}</p>
          <pre><code>${highlight(text)}</code></pre>`
    )}
  </div>`

/** Shows the look or the code of a state. The look stays in the page, so that it keeps its state. */
function show({ currentTarget }: Event, { code, name }: State): void {
  const button = currentTarget as HTMLButtonElement
  const tile = button.closest('section')!
  for (const one of tile.querySelectorAll('[data-view]'))
    one.setAttribute('aria-pressed', String(one === button))
  const isCode = button.dataset['view'] === 'code'
  tile.querySelector<HTMLElement>('.look')!.inert = isCode
  render(isCode ? codeTemplate(name, code) : '', tile.querySelector<HTMLElement>('.code-place')!)
}

export function tileTemplate(state: State): TemplateResult {
  const { name, size = 'third', windowHeight } = state
  const id = toId(name)
  const onClick = (event: Event): void => show(event, state)
  return html`<section class="state" data-size=${size} id=${id} aria-labelledby="${id}-name">
    <div class=${windowHeight ? 'look has-window' : 'look'} data-look="waiting"></div>
    <div class="code-place"></div>
    <footer>
      <h3 id="${id}-name">${name}</h3>
      <div class="switch" role="group" aria-label=${name}>
        <button data-view="look" aria-pressed="true" @click=${onClick}>Look</button>
        <button data-view="code" aria-pressed="false" @click=${onClick}>Code</button>
      </div>
    </footer>
  </section>`
}

/** A page with one state, as large as it says. Its menus take the focus, which goes back to where it was. */
function windowTemplate({ name }: State, onDone: () => void): TemplateResult {
  const query = new URLSearchParams([...new URLSearchParams(location.search), ['state', toId(name)]])
  const before = document.activeElement as HTMLElement
  const done = ({ currentTarget: frame }: Event): void => {
    if (document.activeElement === frame) {
      ;(frame as HTMLElement).blur()
      // Another window of a state is not where a visitor was.
      if (before.localName !== 'iframe') before.focus({ preventScroll: true })
    }
    onDone()
  }
  return html`<iframe src="?${query}" title=${name} @done=${done}></iframe>`
}

/** What a play opens may move the focus a moment later. */
export async function settled(): Promise<void> {
  for (let i = 0; i < 3; i++) await new Promise(requestAnimationFrame)
}

const setProgress = (look: HTMLElement, progress: Progress): void => {
  look.dataset['look'] = progress
}

export function buildLook(look: HTMLElement, state: State): void {
  const isReady = !state.play && !state.windowHeight
  render(state.windowHeight ? windowTemplate(state, () => setProgress(look, 'done')) : state.look(), look)
  // At least: beside a higher state it grows with its tile.
  const frame = look.querySelector('iframe')
  if (frame) frame.style.minBlockSize = `${state.windowHeight!}px`
  setProgress(look, isReady ? 'done' : 'built')
}

/** Does what a user does. Nothing that is played takes the focus or scrolls the page. */
export async function playLook(look: HTMLElement, { name, play }: State): Promise<void> {
  look.inert = true
  await play?.(look).catch((error: unknown) => console.warn(name, error))
  await settled()
  look.inert = look.parentElement!.querySelector('.code') !== null
  setProgress(look, 'done')
}
