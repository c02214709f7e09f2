// The preferences of inline and popup element: what is known, and what a person does to it. The templates draw it.

import type { ReactiveController, ReactiveElement } from '@lit/reactive-element'

import { announce } from '../announce/live-region.ts'
import { LocaleController } from '../core/locale.ts'
import { StoreController } from '../core/store-controller.ts'
import { warnBy } from '../core/validate.ts'
import type { Messages } from '../messages/en.ts'
import type { Delivery } from '../protocol/index.ts'
import type { NotifStore, PreferencesState } from '../store/types.ts'
import { emit } from '../view/emit.ts'
import { addViewMessages } from '../view/render.ts'
import type { Cell, Line } from './preference-lines.ts'

/** Own width from which on there is room for a matrix, in pixels. */
const WIDE = 768

type Host = ReactiveElement & { readonly store?: NotifStore | undefined }

export class PreferenceCenter implements ReactiveController {
  readonly host: Host
  readonly source: StoreController
  readonly locale: LocaleController
  /** Key of the line whose change was refused; shown there until the next one. */
  refused: string | undefined
  saved = false
  wide = false

  #sending = 0
  readonly #observer: ResizeObserver | undefined

  /** @param canBeWide - it lies on a page, whose width decides about its form */
  constructor(host: Host, canBeWide: boolean) {
    this.host = host
    addViewMessages()
    this.source = new StoreController(host, ({ $preferences }, changed) => {
      // What was said of a choice was said to the user of then.
      this.refused = undefined
      this.saved = false
      return [
        $preferences.listen(preferences => {
          if (preferences.state === 'failed') {
            warnBy(({ preferencesRefused }) => preferencesRefused(preferences.error))
          }
          changed()
        })
      ]
    })
    this.locale = new LocaleController(host, () => this.source.scope)
    if (canBeWide) {
      // In the next frame, because another form has another height, and that would be a loop.
      this.#observer = new ResizeObserver(() => requestAnimationFrame(() => this.#measure()))
    }
    host.addController(this)
  }

  get words(): Messages {
    return this.locale.messages as Messages
  }

  /** There is something to say. */
  get speaks(): boolean {
    return Boolean(this.source.store ?? this.source.scope?.retryLoad)
  }

  get state(): PreferencesState {
    const { scope, store } = this.source
    if (store) return store.$preferences.get()
    return scope?.retryLoad ? { error: null, state: 'failed' } : { state: 'busy' }
  }

  hostConnected(): void {
    if (!this.#observer) return
    this.#measure()
    this.#observer.observe(this.host)
  }

  hostDisconnected(): void {
    this.#observer?.disconnect()
  }

  retry(): void {
    const { scope, store } = this.source
    if (store) void store.reloadPreferences().catch(() => {})
    else scope?.retryLoad?.()
  }

  async choose(
    { key, notificationId, subNotificationId }: Line,
    { channel }: Cell,
    delivery: Delivery
  ): Promise<void> {
    this.saved = false
    this.refused = undefined
    this.#sending++
    try {
      const { store } = this.source
      const left = await store?.updateDelivery(notificationId, channel, delivery, subNotificationId)
      this.saved = this.#sending === 1 && this.refused === undefined && left === undefined
      // A dialog says it in itself.
      if (this.saved && this.#observer) announce(() => [this.words.saved, this.locale.messagesLang])
    } catch (error) {
      if (emit(this.host, 'notif-error', { error })) this.refused = key
    }
    this.#sending--
    this.host.requestUpdate()
  }

  #measure(): void {
    const wide = this.host.clientWidth >= WIDE
    if (wide === this.wide) return
    this.wide = wide
    this.host.requestUpdate()
  }
}
