// The toasts of the page: what is shown, its clock, and what the user does with it. Loaded when the first notification arrives.

import type { ReactiveController } from '@lit/reactive-element'

import { interrupt } from '../announce/live-region.ts'
import { addEnglish } from '../core/locale.ts'
import { announceArrival } from '../core/on-demand/arrival.ts'
import { readInterruptions } from '../core/on-demand/interruptions.ts'
import type { ExtrasView } from '../inbox/base/inbox-view.ts'
import { hasExtras } from '../inbox/item/find-extras.ts'
import { item as itemStyles } from '../inbox/item/item.styles.ts'
import { runs } from '../inbox/item/runs.styles.ts'
import { toastMessages } from '../messages/toast.en.ts'
import type { Notif } from '../protocol/index.ts'
import { controls } from '../view/controls.styles.ts'
import { emit } from '../view/emit.ts'
import { adoptStyles, attachTemplate } from '../view/render.ts'
import { viewTokens } from '../view/view-tokens.styles.ts'
import { claim } from './claim.ts'
import { findInbox, findLauncher, isInboxOpen, liftAbove, watchInboxes } from './inboxes.ts'
import { ToastQueue, type Toast } from './queue.ts'
import { styles } from './stack.styles.ts'
import { Swipe } from './swipe.ts'
import { renderStack, type ToastHost } from './template.ts'

const TICK_MS = 200
/** The animation of a toast that leaves, and a frame. */
const LEAVE_MS = 160

export class Stack implements ReactiveController {
  readonly #host: ToastHost
  readonly #queue = new ToastQueue()
  readonly #brokenImages = new Set<string | null>()
  readonly #narrow = matchMedia('(width < 480px)')
  /** After a touch, `:hover` stays. */
  #isMouse = false
  readonly #swipe: Swipe
  #ended = new AbortController()
  #timer: ReturnType<typeof setInterval> | undefined
  #lastTick = 0
  #minute = 0
  /** Changes when what was about to be shown must not be shown any more. */
  #generation = 0
  /** Undefined until an item has some. */
  #extras: ExtrasView | undefined
  /** Had the focus before it came here. */
  #focusBefore: HTMLElement | undefined

  constructor(host: ToastHost) {
    this.#host = host
    this.#swipe = new Swipe({
      canSwipeUp: () => this.#narrow.matches,
      onSwipe: ({ id }) => this.#leave(id)
    })
    addEnglish(toastMessages)
    attachTemplate(host, () => this.#render())
    adoptStyles(host, viewTokens, controls, itemStyles, runs, styles)
    host.addController(this)
  }

  get #limit(): number | undefined {
    return this.#narrow.matches ? 1 : undefined
  }

  get #section(): HTMLElement | null {
    return this.#host.renderRoot.querySelector('.toasts')
  }

  hostConnected(): void {
    this.#ended = new AbortController()
    const { signal } = this.#ended
    watchInboxes(() => this.clear(), signal)
    document.addEventListener('focusin', this.#rememberFocus, { signal })
    this.#host.renderRoot.addEventListener('pointerover', this.#onPointerOver, { signal })
    this.#host.renderRoot.addEventListener('keydown', this.#onKeyDown, { signal })
    this.#narrow.addEventListener('change', () => this.#host.requestUpdate(), { signal })
  }

  hostDisconnected(): void {
    this.#ended.abort()
    this.clear()
  }

  /** Above the page, but under a dialog of it, which makes all else inert. */
  hostUpdated(): void {
    const section = this.#section
    if (!section?.isConnected || section.matches(':popover-open') !== this.#queue.isEmpty) return
    if (this.#queue.isEmpty) section.hidePopover()
    else {
      liftAbove(section, findLauncher())
      if (!document.querySelector('dialog:modal')) section.showPopover()
    }
  }

  async add(items: readonly Notif[]): Promise<void> {
    const generation = this.#generation
    const { source, store } = this.#host
    const sorted = items.toSorted((one, other) => Date.parse(one.date) - Date.parse(other.date))
    const [interruptions, claims] = await Promise.all([
      readInterruptions(source.store),
      Promise.all(sorted.map(claim)),
      sorted.some(hasExtras) ? this.#loadExtras() : undefined
    ])
    for (const [index, item] of sorted.entries()) {
      if (generation !== this.#generation || isInboxOpen()) return
      if (!claims[index] || !interruptions.allows(item.type)) continue
      if (!emit(this.#host, 'notif-toast-show', { item })) continue
      const isUrgent = interruptions.isUrgent(item.type)
      this.#queue.add(item, isUrgent)
      if (isUrgent) interrupt()
      // A provider or `configure` announces for its store.
      if (store) void announceArrival([item], source.context ?? {}, this.#host, store)
    }
    this.#start()
  }

  async #loadExtras(): Promise<void> {
    // If the code cannot be loaded, toasts have their texts only, and the next one loads it again.
    const code = await import('./toast-extras.ts').catch(() => {})
    this.#extras ??= code?.createToastExtras(this.#host, this.#brokenImages)
  }

  /** Removes all toasts at once, such as when the inbox opens. */
  clear(): void {
    this.#generation += 1
    for (const { item } of this.#queue.clear()) emit(this.#host, 'notif-toast-hide', { item })
    this.#host.requestUpdate()
  }

  #render(): unknown {
    const { store } = this.#host.source
    return renderStack({
      brokenImages: this.#brokenImages,
      canOpenInbox: findInbox() !== undefined,
      close: ({ item }) => this.#leave(item.id),
      findExtras: item => (hasExtras(item) ? this.#extras : undefined),
      follow: (toast, event) => this.#follow(toast, event),
      host: this.#host,
      listeners: {
        pointercancel: this.#swipe.onPointerUp as EventListener,
        pointerdown: this.#swipe.onPointerDown as EventListener,
        pointermove: this.#swipe.onPointerMove as EventListener,
        pointerup: this.#swipe.onPointerUp as EventListener
      },
      moreCount: this.#queue.moreCount,
      now: store?.now() ?? Date.now(),
      openInbox: () => void findInbox()?.show(),
      toasts: this.#queue.getVisible(this.#limit)
    })
  }

  #start(): void {
    this.#rememberFocus()
    this.#host.requestUpdate()
    if (this.#timer !== undefined || this.#queue.isEmpty) return
    this.#lastTick = performance.now()
    this.#timer = setInterval(() => this.#tick(), TICK_MS)
  }

  #tick(): void {
    const now = performance.now()
    // A page that was frozen did not show them meanwhile.
    const elapsedMs = Math.min(now - this.#lastTick, 2 * TICK_MS)
    this.#lastTick = now
    const moreCount = this.#queue.moreCount
    if (!this.#isPaused()) {
      for (const { item } of this.#queue.advance(elapsedMs, this.#limit)) this.#leave(item.id)
    }
    const minute = Math.floor(Date.now() / 60_000)
    if (minute !== this.#minute || moreCount !== this.#queue.moreCount) this.#host.requestUpdate()
    this.#minute = minute
    if (!this.#queue.isEmpty) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  /** The clock of all stops while one is pointed at, touched or has the focus. */
  #isPaused(): boolean {
    const isPointedAt = this.#isMouse && this.#section?.matches(':hover')
    return Boolean(
      document.hidden || isPointedAt || this.#swipe.isTouched || this.#host.shadowRoot?.activeElement
    )
  }

  #follow({ item }: Toast, event: Event): void {
    const host = this.#host
    if (!emit(host, 'notif-select', { item })) return event.preventDefault()
    host.source.store?.markAsClicked(item.id).catch((error: unknown) => emit(host, 'notif-error', { error }))
    this.#leave(item.id)
  }

  #leave(id: string): void {
    const toast = this.#queue.getVisible().find(({ item }) => item.id === id)
    if (!toast || !this.#queue.startLeaving(id)) return
    if (this.#host.shadowRoot?.activeElement?.closest('article')?.id === id) this.#moveFocus(id)
    emit(this.#host, 'notif-toast-hide', { item: toast.item })
    this.#host.requestUpdate()
    setTimeout(() => {
      this.#queue.remove(id)
      this.#host.requestUpdate()
    }, LEAVE_MS)
  }

  /** To the next toast, or else back to where the focus was. */
  #moveFocus(id: string): void {
    const next = [...this.#host.renderRoot.querySelectorAll<HTMLElement>('article:not([inert])')].find(
      article => article.id !== id
    )
    ;(next?.querySelector<HTMLElement>('button') ?? this.#focusBefore)?.focus()
  }

  /** Also inside another element, such as a bell. */
  readonly #rememberFocus = (): void => {
    let focused = document.activeElement
    while (focused?.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement
    if (focused && focused.getRootNode() !== this.#host.shadowRoot) this.#focusBefore = focused as HTMLElement
  }

  readonly #onPointerOver = (event: Event): void => {
    this.#isMouse = (event as PointerEvent).pointerType === 'mouse'
  }

  readonly #onKeyDown = (event: Event): void => {
    const { key, target } = event as KeyboardEvent
    const toast = (target as Element).closest('article')
    if (key === 'Escape' && toast) this.#leave(toast.id)
  }
}
