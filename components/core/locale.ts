// The language of an element and its texts: from its provider, else from the page, else from the browser.

import type { ReactiveController, ReactiveElement } from '@lit/reactive-element'

import { bellMessages, type BellMessages } from '../messages/bell.en.ts'
import type { Messages } from '../messages/en.ts'
import { callSafely } from './safe-call.ts'
import type { StoreContext } from './store-context.ts'
import { validateObject, warnInvalid } from './validate.ts'

/** By language; undefined: loading, or the kit does not have the language. */
const messagesByLang = new Map<string, BellMessages | undefined>()
let english: BellMessages = bellMessages
const hosts = new Set<ReactiveElement>()
let observer: MutationObserver | undefined

const updateHosts = (): void => {
  for (const host of hosts) host.requestUpdate()
}

/** Returns the language tag, or English if the `lang` of the page is not valid: times still have to be formatted. */
export function toLanguageTag(lang: string): string {
  try {
    return Intl.getCanonicalLocales(lang)[0] ?? 'en'
  } catch {
    return 'en'
  }
}

/** Returns the `lang` of the element or its closest ancestor, through shadow roots. */
export function findLang(start: Element): string {
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

/** Adds English texts when the code that shows them is loaded. */
export function addEnglish(messages: Partial<Messages>): void {
  if (added.has(messages)) return
  added.add(messages)
  english = { ...english, ...messages }
  updateHosts()
}

const isEnglish = (lang: string): boolean => /^en\b/i.test(lang)

/** Returns English if these are the English texts on a page in another language. */
export const toFallbackLang = (lang: string, messages: BellMessages): 'en' | undefined =>
  messages === english && !isEnglish(lang) ? 'en' : undefined

/** Returns the texts of a language; English until they are loaded. */
export function getMessages(lang: string): BellMessages {
  if (!messagesByLang.has(lang) && !isEnglish(lang)) void load(lang)
  return messagesByLang.get(lang) ?? english
}

async function load(lang: string): Promise<void> {
  messagesByLang.set(lang, undefined)
  try {
    const { loadMessages } = await import('../messages/index.ts')
    messagesByLang.set(lang, await loadMessages(lang))
    updateHosts()
  } catch {
    // The next update tries again.
    messagesByLang.delete(lang)
  }
}

type Format = (...args: readonly unknown[]) => unknown
type Text = string | Format

/**
 * Replaces texts by those of the page. One of another type, or one that throws, leaves the original in place.
 *
 * @param messages - the texts of a language that are loaded
 * @param parameter - with the texts of the page
 */
export function withOverrides<T extends object>(
  host: Element,
  messages: T,
  overrides: Partial<Messages> | undefined,
  parameter = 'messages'
): T {
  const result = { ...messages } as Record<string, Text | undefined>
  for (const name in overrides) {
    const original = result[name]
    const text = (overrides as typeof result)[name] ?? original
    if (original && typeof text !== typeof original) {
      warnInvalid(host, `${parameter}.${name}`, text, `a ${typeof original}`)
    } else {
      result[name] =
        typeof text === 'function'
          ? (...args) => callSafely((original as Format | undefined)?.(...args), text, ...args)
          : text
    }
  }
  return result as T
}

/** A feed has texts of its own in `locale`. */
type Host = ReactiveElement & { readonly locale?: Partial<Messages> | undefined }

/** Provides texts and formats, and updates the host when the language of the page or the texts change. */
export class LocaleController implements ReactiveController {
  #lang = ''
  /** Of the provider. */
  #overrides: Partial<Messages> | undefined
  /** Of the host. */
  #hostOverrides: Partial<Messages> | undefined
  #original: BellMessages = english
  #messages: BellMessages = english
  readonly #host: Host
  readonly #context: () => StoreContext | undefined

  constructor(host: Host, context: () => StoreContext | undefined) {
    this.#host = host
    this.#context = context
    host.addController(this)
  }

  get lang(): string {
    return this.#lang || 'en'
  }

  /** In English only the texts of the code that is loaded. */
  get messages(): BellMessages {
    return this.#messages
  }

  /** Language of the texts if it is not that of the page. */
  get fallbackLang(): 'en' | undefined {
    return toFallbackLang(this.lang, this.#messages)
  }

  /** Language of the texts. */
  get messagesLang(): string {
    return this.fallbackLang ?? this.lang
  }

  formatNumber(n: number): string {
    return n.toLocaleString(toLanguageTag(this.lang))
  }

  hostConnected(): void {
    hosts.add(this.#host)
    observer ??= new MutationObserver(updateHosts)
    observer.observe(document.documentElement, { attributeFilter: ['lang'] })
  }

  hostDisconnected(): void {
    hosts.delete(this.#host)
    if (hosts.size === 0) observer?.disconnect()
  }

  hostUpdate(): void {
    const host = this.#host
    const context = this.#context()
    this.#lang = context?.lang ?? findLang(host)
    const original = getMessages(this.#lang)
    const overrides = context?.messages
    const hostOverrides = validateObject(host, 'locale', host.locale)
    if (original === this.#original && overrides === this.#overrides && hostOverrides === this.#hostOverrides)
      return
    this.#original = original
    this.#overrides = overrides
    this.#hostOverrides = hostOverrides
    const messages = overrides ? withOverrides(host, original, overrides) : original
    this.#messages = hostOverrides ? withOverrides(host, messages, hostOverrides, 'locale') : messages
  }
}
