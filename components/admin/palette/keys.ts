// All keys that work on this page.

import { html, LitElement, type TemplateResult } from 'lit'

import { controls } from '../view/controls.styles.ts'
import { CLOSE, icon } from '../view/icons.ts'
import { listKeys, type Key } from '../view/keys.ts'
import { tokens } from '../view/tokens.styles.ts'
import { words } from '../words.ts'
import { paletteStyles } from './palette.styles.ts'

/** `mod+k` as the keyboard of the member names it. */
const toCaps = (key: string): readonly string[] =>
  key
    .split(/[ +]/)
    .map(one => (one === 'mod' ? words.shell.mod.trim() : one.length === 1 ? one.toUpperCase() : one))

/** Several keys for one thing stand in one line. */
function groupByText(keys: readonly Key[]): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, readonly string[]>()
  for (const { key, text } of keys) groups.set(text, [...(groups.get(text) ?? []), key])
  return groups
}

export class AdminKeys extends LitElement {
  static override styles = [tokens, controls, paletteStyles]

  readonly #keys = groupByText(listKeys())

  protected override firstUpdated(): void {
    this.renderRoot.querySelector('dialog')!.showModal()
  }

  protected override render(): TemplateResult {
    return html`<dialog aria-labelledby="title" @close=${() => this.remove()}>
      <form class="keys-head" method="dialog">
        <h2 id="title">${words.keys.title}</h2>
        <button class="icon-button" title=${words.close}>${icon(CLOSE)}</button>
      </form>
      <dl class="keys">
        ${[...this.#keys].map(
          ([text, keys]) =>
            html`<div>
              <dt>${text}</dt>
              <dd>${keys.flatMap(toCaps).map(cap => html`<kbd>${cap}</kbd>`)}</dd>
            </div>`
        )}
      </dl>
      <p class="why">${words.keys.singleWhy}</p>
    </dialog>`
  }
}
