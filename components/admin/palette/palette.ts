// The palette: one field that finds people, opens sends, and goes to pages.

import { html, LitElement, nothing, type TemplateResult } from 'lit'
import { ref } from 'lit/directives/ref.js'

import type { AdminScope } from '../api/scope.ts'
import { controls } from '../view/controls.styles.ts'
import { icon, SEARCH } from '../view/icons.ts'
import { status } from '../view/status.styles.ts'
import { renderPerson } from '../view/status.ts'
import { tokens } from '../view/tokens.styles.ts'
import { words } from '../words.ts'
import { localCommands, peopleCommands, type Command, type CommandGroup, type PageEntry } from './commands.ts'
import { paletteStyles } from './palette.styles.ts'

/** The server is asked when the member pauses typing for this long. */
const TYPING_PAUSE_MS = 120

export interface PaletteOptions {
  readonly pages: readonly PageEntry[]
  readonly hasUsers: boolean
  readonly go: (page: string) => void
}

export class AdminPalette extends LitElement {
  static override styles = [tokens, controls, status, paletteStyles]

  scope: AdminScope | undefined
  options: PaletteOptions | undefined

  #text = ''
  #chosen = 0
  #people: CommandGroup | undefined
  #abort = new AbortController()

  get #groups(): readonly CommandGroup[] {
    const local = localCommands(this.#text, this.options?.pages ?? [])
    return this.#people ? [this.#people, ...local] : local
  }

  get #commands(): readonly Command[] {
    return this.#groups.flatMap(({ commands }) => commands)
  }

  get #dialog(): HTMLDialogElement {
    return this.renderRoot.querySelector('dialog')!
  }

  protected override firstUpdated(): void {
    this.#dialog.showModal()
  }

  readonly #onInput = async (event: InputEvent): Promise<void> => {
    this.#text = (event.target as HTMLInputElement).value
    this.#chosen = 0
    this.#abort.abort()
    const { signal } = (this.#abort = new AbortController())
    this.requestUpdate()
    if (!this.#text.trim()) return void (this.#people = undefined)
    await new Promise(resolve => setTimeout(resolve, TYPING_PAUSE_MS))
    if (signal.aborted || !this.scope) return
    const people = await peopleCommands(this.scope, this.#text, this.options?.hasUsers ?? false, signal)
    if (signal.aborted) return
    this.#people = people
    this.requestUpdate()
  }

  readonly #onKeyDown = (event: KeyboardEvent): void => {
    const commands = this.#commands
    const { length } = commands
    if (event.key === 'ArrowDown') this.#chosen = (this.#chosen + 1) % Math.max(1, length)
    else if (event.key === 'ArrowUp') this.#chosen = (this.#chosen + length - 1) % Math.max(1, length)
    else if (event.key === 'Enter' && commands[this.#chosen])
      this.#run(commands[this.#chosen]!, event.ctrlKey || event.metaKey)
    else return
    event.preventDefault()
    this.requestUpdate()
  }

  #run({ page }: Command, isNewTab: boolean): void {
    this.#dialog.close()
    if (isNewTab) open(this.scope?.pageUrl(page), '_blank', 'noopener')
    else this.options?.go(page)
  }

  protected override render(): TemplateResult {
    const groups = this.#groups
    const chosen = this.#commands[this.#chosen]
    return html`<dialog
      aria-label=${words.palette.title}
      @close=${() => this.remove()}
      @click=${(event: Event) => event.target === this.#dialog && this.#dialog.close()}
    >
      <div class="typed">
        ${icon(SEARCH)}<input
          type="text"
          role="combobox"
          aria-expanded="true"
          aria-controls="results"
          aria-activedescendant=${chosen ? 'chosen' : nothing}
          aria-label=${words.palette.title}
          placeholder=${words.palette.open}
          autocomplete="off"
          spellcheck="false"
          autofocus
          @input=${this.#onInput}
          @keydown=${this.#onKeyDown}
        /><kbd>esc</kbd>
      </div>
      <div class="results" id="results" role="listbox" aria-label=${words.palette.title}>
        ${groups.map(group => this.#renderGroup(group, chosen))}
        ${groups.length === 0 ? html`<p class="nothing">${words.palette.empty}</p>` : nothing}
      </div>
      <div class="foot">
        <span><kbd>↑</kbd><kbd>↓</kbd> ${words.palette.choose}</span
        ><span><kbd>↵</kbd> ${words.palette.openKey}</span
        ><span><kbd>${words.shell.mod.trim()}</kbd><kbd>↵</kbd> ${words.palette.newTab}</span
        ><span>${words.palette.paste}</span>
      </div>
    </dialog>`
  }

  #renderGroup({ commands, title }: CommandGroup, chosen: Command | undefined): TemplateResult {
    const isSame = (one: Command): boolean => one.page === chosen?.page && one.text === chosen.text
    return html`<div role="group" aria-label=${title}>
      <h3 role="presentation">${title}</h3>
      ${commands.map(command => this.#renderCommand(command, isSame(command)))}
    </div>`
  }

  #renderCommand(command: Command, isChosen: boolean): TemplateResult {
    const { hint, icon: path, isCode, keys, match, text } = command
    return html`<div
      class="option"
      role="option"
      id=${isChosen ? 'chosen' : nothing}
      aria-selected=${isChosen}
      ${ref(element => isChosen && element?.scrollIntoView({ block: 'nearest' }))}
      @click=${(event: MouseEvent) => this.#run(command, event.ctrlKey || event.metaKey)}
    >
      ${path ? html`${icon(path)}<span>${text}${match ? html`<mark>${match}</mark>` : nothing}</span>` : renderPerson(match ?? '')}
      ${hint ? html`<span class="hint ${isCode ? 'mono' : ''}">${hint}</span>` : nothing}
      ${keys ? html`<span class="hint">${keys.map(key => html`<kbd>${key}</kbd> `)}</span>` : nothing}
    </div>`
  }
}
