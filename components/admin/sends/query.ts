// The filter field of the log: tokens, text, and suggestions of people, types and keys.

import { html, LitElement, nothing, type TemplateResult } from 'lit'

import { object } from '../../core/param.ts'
import type { AdminScope } from '../api/scope.ts'
import { suggest, type SuggestionKind } from '../api/suggestions.ts'
import { CHANNELS, channelName } from '../view/channel.ts'
import { controls } from '../view/controls.styles.ts'
import { CLOSE, CODE, icon, SEARCH, TYPES, USER } from '../view/icons.ts'
import { tokens as tokenStyles } from '../view/tokens.styles.ts'
import { words } from '../words.ts'
import { sendsWords } from '../words/sends.ts'
import { FILTER_KEYS, parseToken, STATUSES, type FilterKey, type Token } from './filter.ts'
import { queryStyles } from './query.styles.ts'

const TYPING_PAUSE_MS = 120

interface Suggestion {
  readonly icon: string
  readonly text: string
  readonly hint: string
  /** Absent: only completes the text. */
  readonly token?: Token
}

interface SuggestionGroup {
  readonly title: string
  readonly items: readonly Suggestion[]
}

/** Values that are known without the server. */
const FIXED: Readonly<Record<string, readonly string[]>> = {
  channel: CHANNELS,
  since: ['1h', '24h', '7d', '30d'],
  status: STATUSES
}

interface RemoteGroup {
  readonly title: string
  readonly icon: string
  readonly kinds: readonly SuggestionKind[]
  /** The first one is that of the token; a text after the others has suggestions as well. */
  readonly keys: readonly [FilterKey, ...string[]]
}

/** What the server suggests. */
const GROUPS: readonly RemoteGroup[] = [
  { icon: USER, keys: ['user', 'to'], kinds: ['user'], title: words.palette.people },
  { icon: TYPES, keys: ['type'], kinds: ['type'], title: words.palette.types },
  { icon: CODE, keys: ['decision'], kinds: ['decision', 'rule'], title: sendsWords.decisions }
]

export class AdminSendsQuery extends LitElement {
  static override styles = [tokenStyles, controls, queryStyles]

  @object() tokens: readonly Token[] = []
  @object() scope: AdminScope | undefined
  @object() isWrong = false

  #groups: readonly SuggestionGroup[] = []
  #chosen = -1
  #text = ''
  #hasFocus = false
  #abort = new AbortController()

  get #input(): HTMLInputElement {
    return this.renderRoot.querySelector('input')!
  }

  get #items(): readonly Suggestion[] {
    return this.#groups.flatMap(({ items }) => items)
  }

  override focus(): void {
    this.#input.focus()
  }

  #change(tokens: readonly Token[]): void {
    this.dispatchEvent(new CustomEvent('tokens-change', { detail: tokens }))
  }

  #add(token: Token | undefined): void {
    if (!token) return
    // Suggestions for the text would come after it is gone.
    this.#abort.abort()
    this.#text = this.#input.value = ''
    this.#groups = []
    this.#chosen = -1
    // One of each, besides conditions on the request, which all hold.
    const others = this.tokens.filter(one => one.key !== token.key || token.key === 'where')
    this.#change([...others, token])
    this.requestUpdate()
  }

  readonly #onInput = async (): Promise<void> => {
    this.#text = this.#input.value
    this.#chosen = -1
    this.#abort.abort()
    const { signal } = (this.#abort = new AbortController())
    this.#groups = this.#local()
    this.requestUpdate()
    await new Promise(resolve => setTimeout(resolve, TYPING_PAUSE_MS))
    if (signal.aborted || !this.scope || !this.#text.trim()) return
    const remote = await this.#remote(this.scope, signal)
    if (signal.aborted) return
    this.#groups = [...remote, ...this.#local()]
    this.requestUpdate()
  }

  #local(): readonly SuggestionGroup[] {
    const [key = '', typed] = this.#text.split(':')
    const fixed = typed === undefined ? undefined : FIXED[key]
    if (fixed) {
      const items = fixed
        .filter(value => value.toLowerCase().startsWith(typed!.toLowerCase()))
        .map(value => ({
          hint: key === 'channel' ? channelName(value) : (sendsWords.values[value] ?? ''),
          icon: CODE,
          text: `${key}:${value}`,
          token: { key, value } as Token
        }))
      return items.length > 0 ? [{ items, title: sendsWords.keys[key as keyof typeof sendsWords.keys] }] : []
    }
    if (typed !== undefined) return []
    const items = FILTER_KEYS.filter(name => name.startsWith(key.toLowerCase())).map(name => ({
      hint: sendsWords.keys[name],
      icon: CODE,
      text: `${name}:`
    }))
    return items.length > 0 ? [{ items, title: sendsWords.fields }] : []
  }

  async #remote(scope: AdminScope, signal: AbortSignal): Promise<readonly SuggestionGroup[]> {
    const [key = '', rest] = this.#text.split(':')
    const typed = (rest ?? key).trim()
    const wanted = GROUPS.filter(({ keys }) => rest === undefined || keys.includes(key))
    if (wanted.length === 0) return []
    const answer = await suggest(
      scope,
      typed,
      wanted.flatMap(({ kinds }) => kinds),
      signal
    )
    const suggestions = answer.ok ? answer.value.suggestions : []
    return wanted.flatMap(({ icon: path, keys: [token], kinds, title }) => {
      const items = suggestions
        .filter(({ kind }) => kinds.includes(kind))
        .map(({ hint = '', value }) => ({ hint, icon: path, text: value, token: { key: token, value } }))
      return items.length > 0 ? [{ items, title }] : []
    })
  }

  readonly #onKeyDown = (event: KeyboardEvent): void => {
    const items = this.#items
    if (event.key === 'ArrowDown' && items.length > 0) this.#chosen = (this.#chosen + 1) % items.length
    else if (event.key === 'ArrowUp' && items.length > 0)
      this.#chosen =
        ((this.#chosen + items.length) % (items.length + 1)) - 1 < 0 ? items.length - 1 : this.#chosen - 1
    else if (event.key === 'Enter') this.#take(items[this.#chosen])
    else if (event.key === 'Escape' && this.#groups.length > 0) this.#groups = []
    else if (event.key === 'Backspace' && this.#input.value === '' && this.tokens.length > 0)
      this.#change(this.tokens.slice(0, -1))
    else return
    event.preventDefault()
    event.stopPropagation()
    this.requestUpdate()
  }

  #take(item: Suggestion | undefined): void {
    if (!item) return this.#add(parseToken(this.#text))
    if (item.token) return this.#add(item.token)
    this.#input.value = item.text
    void this.#onInput()
  }

  protected override render(): TemplateResult {
    const isOpen = this.#groups.length > 0 && this.#hasFocus
    return html`<div class="query ${this.isWrong ? 'wrong' : ''}">
      ${icon(SEARCH, 'small')}${this.tokens.map(token => this.#renderToken(token))}<input
        type="text"
        role="combobox"
        aria-expanded=${isOpen}
        aria-controls="suggestions"
        aria-activedescendant=${this.#chosen >= 0 ? `s-${this.#chosen}` : nothing}
        aria-invalid=${this.isWrong ? 'true' : nothing}
        aria-label=${sendsWords.filter}
        placeholder=${this.tokens.length === 0 ? sendsWords.placeholder : ''}
        autocomplete="off"
        spellcheck="false"
        @input=${this.#onInput}
        @keydown=${this.#onKeyDown}
        @focus=${() => this.#setFocus(true)}
        @blur=${() => this.#setFocus(false)}
      /><kbd>/</kbd>
      <div
        class="suggestions"
        id="suggestions"
        role="listbox"
        aria-label=${sendsWords.suggestions}
        ?hidden=${!isOpen}
      >
        ${isOpen ? this.#renderGroups() : nothing}
      </div>
    </div>`
  }

  #setFocus(hasFocus: boolean): void {
    this.#hasFocus = hasFocus
    this.requestUpdate()
  }

  #renderToken(token: Token): TemplateResult {
    const { key, value } = token
    return html`<span class="token"
      ><span>${key}</span><b class="clip">${value}</b
      ><button
        type="button"
        title=${sendsWords.remove(key, value)}
        @click=${() => this.#change(this.tokens.filter(one => one !== token))}
      >
        ${icon(CLOSE, 'small')}
      </button></span
    >`
  }

  #renderGroups(): readonly TemplateResult[] {
    let index = -1
    return this.#groups.map(
      ({ items, title }) =>
        html`<div role="group" aria-label=${title}>
          <p role="presentation">${title}</p>
          ${items.map(item => {
            const own = ++index
            return html`<div
              class="option"
              role="option"
              id="s-${own}"
              aria-selected=${own === this.#chosen}
              @mousedown=${(event: Event) => (event.preventDefault(), this.#take(item))}
            >
              ${icon(item.icon, 'small')}<span class="mono">${item.text}</span
              ><span class="hint">${item.hint}</span>
            </div>`
          })}
        </div>`
    )
  }
}
