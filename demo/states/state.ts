// What the gallery shows: a state, how it looks, and what makes it so.

import { html, type TemplateResult } from 'lit'

import { createNotifStore } from '../../components/headless/index.ts'
import type { NotifFeed, NotifPopup, NotifStore } from '../../components/index.ts'
import type { Transport } from '../../components/store/transport.ts'
import { given } from '../given.ts'
import { world } from '../harbour.ts'

/** Code by what it is: `Element`, `Type`, `Page`, `Back end`. */
export type Code = Readonly<Record<string, string>>

export interface State {
  readonly name: string
  readonly code: Code
  readonly look: () => TemplateResult
  /** At least so wide; a line is filled by what stands in it. Default: `third`. */
  readonly size?: 'half' | 'third' | 'whole'
  /** Does what a user does, once the look is there. */
  readonly play?: (look: HTMLElement) => Promise<unknown>
  /** Height in pixels of a window of its own, for what opens above the page. */
  readonly windowHeight?: number
}

export interface Group {
  readonly name: string
  readonly states: readonly State[]
}

const environment = { ready: async (): Promise<void> => {} }

/** Returns a store with some requests replaced. */
export const storeWith = (
  requests: Partial<Transport>,
  options?: Parameters<typeof world>[0]
): NotifStore => {
  const transport = { ...world(options).inbox.transport(), ...requests }
  return createNotifStore({ environment, transport })
}

export const feed = (store: NotifStore, options: Partial<NotifFeed> = {}): TemplateResult =>
  html`<notif-feed ${given({ bordered: true, pageSize: 4, store, ...options })}></notif-feed>`

/** Rows only, which stay as they are. */
export const rows = (store: NotifStore, options: Partial<NotifFeed> = {}): TemplateResult =>
  html`<div class="rows">
    ${feed(store, { header: 'none', markOpened: 'never', pagination: 'INFINITE_SCROLL', ...options })}
  </div>`

export const bell = (
  store: NotifStore,
  options: Partial<NotifPopup> = {},
  inside: unknown = ''
): TemplateResult => html`<notif-popup ${given({ store, ...options })}>${inside}</notif-popup>`

export const strip = (ground: string, content: readonly TemplateResult[] | TemplateResult): TemplateResult =>
  html`<div class="strip ${ground}">${content}</div>`
