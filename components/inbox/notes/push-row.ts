// The row below the list that offers web push. Loaded where the browser was not asked yet.

import { html, nothing, type TemplateResult } from 'lit/html.js'

import { announce } from '../../announce/live-region.ts'
import { BELL_PATH } from '../../core/bell-path.ts'
import { addEnglish } from '../../core/locale.ts'
import { readStored, writeStored } from '../../core/on-demand/user-storage.ts'
import { warnInvalid } from '../../core/validate.ts'
import { pushMessages } from '../../messages/push.en.ts'
import type { NotifStore } from '../../store/types.ts'
import { canAskForPush, isWorkerThere } from '../../transport/web-push.ts'
import { renderIconButton } from '../../view/button.ts'
import { ALERT, BROWSER, CLOSE, icon } from '../../view/icons.ts'
import { adoptStyles } from '../../view/render.ts'
import type { InboxView } from '../base/inbox-view.ts'
import { readUserKey } from '../base/user-key.ts'
import { styles } from './notes.styles.ts'
import { canAsk, parseHistory, type PushHistory } from './push-history.ts'

/** The row leaves by itself after it says that web push is on. */
const ON_MS = 5000
const NAME = 'push'
const ICONS = {
  bad: ALERT,
  good: 'M3 10a7 7 0 1 0 14 0 7 7 0 1 0-14 0M6.9 10.3l2.15 2.15L13.2 8'
} as const

type State = 'ask' | 'blocked' | 'failed' | 'how' | 'on'

export class PushRow {
  readonly #inbox: InboxView
  readonly #userKey: string
  #state: State | undefined
  #isBusy = false

  constructor(inbox: InboxView) {
    this.#inbox = inbox
    this.#userKey = readUserKey(inbox.host)?.key ?? ''
    addEnglish(pushMessages)
    adoptStyles(inbox.host, styles)
  }

  get #history(): PushHistory {
    return parseHistory(readStored(this.#userKey, NAME))
  }

  #store(history: PushHistory): void {
    writeStored(this.#userKey, NAME, JSON.stringify(history))
  }

  /** The inbox was opened, and has something new. */
  async look(store: NotifStore): Promise<void> {
    const { host, now } = this.#inbox
    const history = this.#history
    this.#store({ ...history, looks: history.looks + 1 })
    if (this.#state || !canAsk(this.#history, now) || !canAskForPush()) return
    const value = host.source.context?.webPushOptInMessage ?? ''
    // AUTOMATIC is the value of the hosted product that a page may have used before.
    if (!/^(auto(matic)?|true|)$/i.test(`${value}`))
      warnInvalid(host, 'webPushOptInMessage', value, 'auto or off')
    const path = readUserKey(host)?.config.customServiceWorkerPath ?? undefined
    if (!(await isWorkerThere(path))) this.#store({ ...this.#history, missedAt: now })
    else if (store.$connection.get().state === 'online') this.#set('ask')
  }

  #set(state: State | undefined): void {
    const { host, messages } = this.#inbox
    const hadFocus = this.#find(':focus') !== null
    this.#state = state
    host.requestUpdate()
    const { pushBlocked, pushFailed, pushHowText, pushOn } = messages
    const words = { ask: '', blocked: pushBlocked, failed: pushFailed, how: pushHowText, on: pushOn }
    if (state && words[state]) announce(() => [words[state], host.language.messagesLang])
    if (hadFocus) void this.#restoreFocus()
  }

  async #restoreFocus(): Promise<void> {
    const { host } = this.#inbox
    await host.updateComplete
    ;(this.#find('button') ?? host.renderRoot.querySelector<HTMLElement>('.heading'))?.focus()
  }

  #find(selector: string): HTMLElement | null {
    return this.#inbox.host.renderRoot.querySelector(`.push-row ${selector}`)
  }

  async #turnOn(): Promise<void> {
    if (this.#isBusy) return
    this.#isBusy = true
    this.#inbox.host.requestUpdate()
    try {
      await this.#inbox.store?.setWebPushOptIn(true)
      const { permission } = Notification
      // Closing the question of the browser is no answer.
      this.#set(permission === 'granted' ? 'on' : permission === 'denied' ? 'blocked' : 'ask')
    } catch (error) {
      console.warn('notif-kit: web push could not be turned on.', error)
      this.#set('failed')
    }
    this.#isBusy = false
    this.#inbox.host.requestUpdate()
    if (this.#state === 'on') setTimeout(() => this.#leave(), ON_MS)
  }

  #leave(): void {
    if (this.#state !== 'on') return
    if (this.#find(':focus, :hover')) setTimeout(() => this.#leave(), ON_MS)
    else this.#set(undefined)
  }

  readonly #close = (): void => {
    if (this.#state === 'ask') {
      const { looks, refusals } = this.#history
      this.#store({ looks, refusals: refusals + 1, refusedAt: this.#inbox.now })
    }
    this.#set(undefined)
  }

  /** @param close - closes the panel around the inbox; a feed has none */
  render(close?: () => void): TemplateResult | typeof nothing {
    const { messages } = this.#inbox
    const state = this.#state
    if (!state) return nothing
    const choose = async (): Promise<void> => {
      const { showPreferences } = await import('../menu/header-menu.ts')
      await showPreferences(this.#inbox, close)
      this.#set(undefined)
    }
    const turnOn = (name: string, className: string): TemplateResult =>
      html`<button
        class=${className}
        aria-busy=${this.#isBusy ? 'true' : nothing}
        aria-disabled=${this.#isBusy ? 'true' : nothing}
        @click=${() => void this.#turnOn()}
      >
        ${name}
      </button>`
    const quiet = (name: string, onClick: () => void): TemplateResult =>
      html`<button class="quiet" @click=${onClick}>${name}</button>`
    const { pushBlocked, pushFailed, pushHowText, pushOn, pushTitle } = messages
    const [picture, words, button] = {
      ask: [icon(BROWSER), pushTitle, turnOn(messages.pushYes, 'btn main')] as const,
      blocked: [icon(BELL_PATH), pushBlocked, quiet(messages.pushHow, () => this.#set('how'))] as const,
      failed: [icon(ICONS.bad, 'bad'), pushFailed, turnOn(messages.retry, 'btn')] as const,
      how: [icon(BELL_PATH), pushHowText, nothing] as const,
      on: [icon(ICONS.good, 'good'), pushOn, quiet(messages.pushChoose, () => void choose())] as const
    }[state]
    const name = state === 'ask' ? messages.pushNo : messages.close
    return html`<div class="note push-row" part="push-prompt" role="group" aria-label=${pushTitle}>
      ${picture}<span>${words}</span>${button}${renderIconButton(name, icon(CLOSE, 'small'), this.#close)}
    </div>`
  }
}
