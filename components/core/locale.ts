// The language of an element: what its provider says, else what the page says, else what the browser says.

import type { ReactiveController, ReactiveElement } from '@lit/reactive-element'

import { bellMessages, type BellMessages } from '../messages/bell.en.ts'
import type { Messages } from '../messages/en.ts'
import { withOverrides } from './message-overrides.ts'
import type { StoreContext } from './store-context.ts'
import { validateObject } from './validate.ts'

/** By language; undefined: asked for, or not there. */
const tables = new Map<string, BellMessages | undefined>()
let english: BellMessages = bellMessages
const hosts = new Set<ReactiveElement>()
let observer: MutationObserver | undefined

const refresh = (): void => {
  for (const host of hosts) host.requestUpdate()
}

/** The language tag, or English if the `lang` of a page is not a valid tag: times still have to be formatted. */
export function toLanguageTag(lang: string): string {
  try {
    return Intl.getCanonicalLocales(lang)[0] ?? 'en'
  } catch {
    return 'en'
  }
}

/** The language that the page says at an element, through shadow roots. */
export function langOf(start: Element): string {
  for (let element: Element | null = start; element;) {
    const found: Element | null = element.closest('[lang]')
    const lang = found?.getAttribute('lang')
    if (lang) return lang
    const root: Node = element.getRootNode()
    element = root instanceof ShadowRoot ? root.host : null
  }
  return navigator.language
}

const added = new Set<object>()

/** Adds English texts, when the code that shows them is loaded. */
export function addEnglish(messages: Partial<Messages>): void {
  if (added.has(messages)) return
  added.add(messages)
  english = { ...english, ...messages }
  refresh()
}

/** A list has words of its own in `locale`. */
type Host = ReactiveElement & { readonly locale?: Partial<Messages> | undefined }

/** Gives words and formats, and renders the host again when the language of the page or its words change. */
export class LocaleController implements ReactiveController {
  #lang = ''
  #own: Partial<Messages> | undefined
  #list: Partial<Messages> | undefined
  #table: BellMessages = english
  #words: BellMessages = english
  readonly #host: Host
  readonly #scope: () => StoreContext | undefined

  constructor(host: Host, scope: () => StoreContext | undefined) {
    this.#host = host
    this.#scope = scope
    host.addController(this)
  }

  get lang(): string {
    return this.#lang || 'en'
  }

  /** In English only the texts of the code that is loaded. */
  get messages(): BellMessages {
    return this.#words
  }

  /** Language of the words where it is another one than that of the page. */
  get fallbackLang(): 'en' | undefined {
    return toFallbackLang(this.lang, this.#words)
  }

  /** Language of the words. */
  get messagesLang(): string {
    return this.fallbackLang ?? this.lang
  }

  /** A number as the language writes it. */
  digits(n: number): string {
    return n.toLocaleString(toLanguageTag(this.lang))
  }

  hostConnected(): void {
    hosts.add(this.#host)
    observer ??= new MutationObserver(refresh)
    observer.observe(document.documentElement, { attributeFilter: ['lang'] })
  }

  hostDisconnected(): void {
    hosts.delete(this.#host)
    if (hosts.size === 0) observer?.disconnect()
  }

  hostUpdate(): void {
    const scope = this.#scope()
    this.#lang = scope?.lang ?? langOf(this.#host)
    const table = tableOf(this.#lang)
    const own = scope?.messages
    const list = validateObject(this.#host, 'locale', this.#host.locale)
    if (table === this.#table && own === this.#own && list === this.#list) return
    this.#table = table
    this.#own = own
    this.#list = list
    const words = own ? withOverrides(this.#host, table, own) : table
    this.#words = list ? withOverrides(this.#host, words, list, 'locale') : words
  }
}

const isEnglish = (lang: string): boolean => /^en\b/i.test(lang)

/** Words that are English where the language is another one. */
export const toFallbackLang = (lang: string, words: BellMessages): 'en' | undefined =>
  words === english && !isEnglish(lang) ? 'en' : undefined

/** The words of a language; English until they have been fetched. */
export function tableOf(lang: string): BellMessages {
  if (!tables.has(lang) && !isEnglish(lang)) void fetchTable(lang)
  return tables.get(lang) ?? english
}

async function fetchTable(lang: string): Promise<void> {
  // Asked for once.
  tables.set(lang, undefined)
  try {
    const { loadMessages } = await import('../messages/index.ts')
    tables.set(lang, await loadMessages(lang))
    refresh()
  } catch {
    // Without a connection English will do; the next render asks again.
    tables.delete(lang)
  }
}
