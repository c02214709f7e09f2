// The preferences of both elements: their state, and the choices of the user. The templates render it.

import type { ReactiveController } from '@lit/reactive-element'

import { announce } from '../announce/live-region.ts'
import { addEnglish } from '../core/locale.ts'
import { warnBy } from '../core/validate.ts'
import type { Messages } from '../messages/en.ts'
import { preferenceMessages } from '../messages/preference.en.ts'
import type { Delivery, JoinedTopic, PreferencesPatch } from '../protocol/index.ts'
import type { NotifStore, PreferencesState } from '../store/types.ts'
import { emit } from '../view/emit.ts'
import type { TemplateElement } from '../view/template-element.ts'
import type { Cell, PreferenceRow } from './rows.ts'

/** Width of the element from which on it shows a matrix. */
const MIN_MATRIX_WIDTH_PX = 768

/** Key of the settings that are about no row. */
export const SETTINGS_KEY = 'settings'

export class PreferencesController implements ReactiveController {
  readonly host: TemplateElement
  /** Key of the row whose change the server refused; shown there until the next change. */
  refusedKey: string | undefined
  isSaved = false
  /** Topics that the user left here, which are shown until the element leaves the page, so that the user can join them again. */
  readonly leftTopics = new Map<string, JoinedTopic>()
  /** The control that takes the place of the focused one gets the focus. */
  movesFocus = false
  isWide = false

  #pendingCount = 0
  readonly #observer: ResizeObserver | undefined

  /** @param isInline - part of a page: its width decides about the form, and screen readers hear what was saved */
  constructor(host: TemplateElement, isInline: boolean) {
    this.host = host
    addEnglish(preferenceMessages)
    host.source.add(({ $preferences }, onChange) => {
      // They were about a choice of the last user.
      this.refusedKey = undefined
      this.isSaved = false
      this.leftTopics.clear()
      return [
        $preferences.listen(preferences => {
          if (preferences.state === 'failed') {
            warnBy(({ preferencesRefused }) => preferencesRefused(preferences.error))
          }
          onChange()
        })
      ]
    })
    if (isInline) {
      // In the next frame: the other form has another height, and resizing during the callback would be a loop.
      this.#observer = new ResizeObserver(() => requestAnimationFrame(() => this.#measure()))
    }
    host.addController(this)
  }

  get messages(): Messages {
    return this.host.language.messages as Messages
  }

  /** Undefined until the store or its code is loaded. */
  get state(): PreferencesState | undefined {
    const { context, store } = this.host.source
    return store?.$preferences.get() ?? (context?.retryLoad && { error: null, state: 'failed' })
  }

  hostConnected(): void {
    if (!this.#observer) return
    this.#measure()
    this.#observer.observe(this.host)
  }

  hostDisconnected(): void {
    this.leftTopics.clear()
    this.#observer?.disconnect()
  }

  retry(): void {
    const { context, store } = this.host.source
    if (store) void store.reloadPreferences().catch(() => {})
    else context?.retryLoad?.()
  }

  /** Time of the server, in milliseconds since 1970. */
  get now(): number {
    return this.host.source.store?.now() ?? Date.now()
  }

  choose(
    { key, notificationId, subNotificationId }: PreferenceRow,
    { channel }: Cell,
    delivery: Delivery
  ): Promise<void> {
    return this.#save(key, store =>
      store.updateDelivery(notificationId, channel, delivery, subNotificationId)
    )
  }

  /** Sets switches of whole channels, the pause or the quiet hours. */
  set(patch: PreferencesPatch): Promise<void> {
    return this.#save(SETTINGS_KEY, store => store.updateSettings(patch))
  }

  changeTopic(topic: JoinedTopic, isMember: boolean): Promise<void> {
    this.leftTopics.set(topic.id, topic)
    return this.#save(topic.id, store => store.updateTopic(topic.id, isMember))
  }

  async #save(key: string, change: (store: NotifStore) => Promise<unknown>): Promise<void> {
    const { language, source } = this.host
    this.isSaved = false
    this.refusedKey = undefined
    this.#pendingCount++
    try {
      const unsaved = source.store && (await change(source.store))
      this.isSaved = this.#pendingCount === 1 && this.refusedKey === undefined && unsaved === undefined
      // A dialog has a status text.
      if (this.isSaved && this.#observer) announce(() => [this.messages.saved, language.messagesLang])
    } catch (error) {
      if (emit(this.host, 'notif-error', { error })) this.refusedKey = key
    }
    this.#pendingCount--
    this.host.requestUpdate()
  }

  /**
   * The button of the pause and its line replace each other, so the focus moves from one to the other. After the render, because a new
   * node is not in the page before.
   */
  readonly takeFocus = (node: Element | undefined): void => {
    if (!node || !this.movesFocus) return
    this.movesFocus = false
    queueMicrotask(() => (node as HTMLElement).focus())
  }

  #measure(): void {
    const isWide = this.host.clientWidth >= MIN_MATRIX_WIDTH_PX
    if (isWide === this.isWide) return
    this.isWide = isWide
    this.host.requestUpdate()
  }
}
