// Marks notifications as seen: half of the row was in sight for a second, on a visible page, with nothing over it. Counts those that lie
// below the visible rows.

import type { ReactiveController } from '@lit/reactive-element'

import type { Notif, NotifId } from '../protocol/index.ts'
import type { InboxView } from './base/inbox-view.ts'
import { readMarkOpened } from './base/options.ts'
import type { ReadState } from './read-state.ts'

const SEEN_AFTER_MS = 1000
/** A row that is covered, such as by a dialog, is looked for again after this time. */
const COVERED_RETRY_MS = 1000
/** Of a row. */
const IN_SIGHT = 0.5

const isUnseen = ({ archived, opened, seen, snoozedUntil }: Notif): boolean =>
  !seen && !opened && !archived && !snoozedUntil

export class SeenController implements ReactiveController {
  readonly #inbox: InboxView & { readonly readState: ReadState }
  /** Rows that are observed, by their notification. */
  readonly #rows = new Map<NotifId, Element>()
  readonly #timers = new Map<Element, ReturnType<typeof setTimeout>>()
  readonly #below = new Set<NotifId>()
  #observer: IntersectionObserver | undefined
  #root: Element | null | undefined
  #isActive = false

  constructor(inbox: InboxView & { readonly readState: ReadState }) {
    this.#inbox = inbox
  }

  /** Number of notifications that were not in sight yet and lie below the visible rows. */
  get belowCount(): number {
    // What the view no longer has, or has as seen, is forgotten only after it is rendered.
    const rows = (this.#below.size > 0 && this.#inbox.view?.rows) || []
    return rows.filter(item => this.#below.has(item.id) && isUnseen(item)).length
  }

  hostConnected(): void {
    document.addEventListener('visibilitychange', this.#update)
  }

  hostDisconnected(): void {
    document.removeEventListener('visibilitychange', this.#update)
    this.#stop()
  }

  hostUpdated(): void {
    this.#update()
  }

  readonly #update = (): void => {
    const { host, readState, store, view } = this.#inbox
    const isActive = readState.isViewed && !document.hidden && !!store && readMarkOpened(host) === 'visible'
    if (!isActive) return this.#stop()
    const root = host.renderRoot.querySelector('.scrolls')
    // Another root needs another observer.
    if (!this.#isActive || root !== this.#root) this.#stop()
    this.#isActive = true
    this.#root = root
    this.#observer ??= new IntersectionObserver(this.#onIntersection, { root, threshold: IN_SIGHT })
    this.#observe(view?.rows ?? [])
  }

  #observe(rows: readonly Notif[]): void {
    const unseen = new Set<NotifId>()
    for (const item of rows) {
      if (!isUnseen(item)) continue
      unseen.add(item.id)
      if (this.#rows.get(item.id)?.isConnected) continue
      const row = (this.#inbox.host.renderRoot as ShadowRoot).getElementById(item.id)
      if (!row) continue
      this.#rows.set(item.id, row)
      this.#observer!.observe(row)
    }
    for (const [id, row] of this.#rows) if (!unseen.has(id)) this.#forget(id, row)
  }

  #forget(id: NotifId, row: Element): void {
    this.#rows.delete(id)
    this.#observer?.unobserve(row)
    clearTimeout(this.#timers.get(row))
    this.#timers.delete(row)
    this.#below.delete(id)
  }

  #stop(): void {
    this.#observer?.disconnect()
    this.#observer = undefined
    for (const timer of this.#timers.values()) clearTimeout(timer)
    this.#timers.clear()
    this.#rows.clear()
    this.#below.clear()
    this.#isActive = false
  }

  readonly #onIntersection = (entries: readonly IntersectionObserverEntry[]): void => {
    const before = this.#below.size
    for (const { boundingClientRect, isIntersecting, rootBounds, target } of entries) {
      clearTimeout(this.#timers.get(target))
      if (isIntersecting) this.#watch(target, SEEN_AFTER_MS)
      // Without a list that scrolls, nothing says where the visible rows end.
      const isBelow = !isIntersecting && this.#root && rootBounds && boundingClientRect.top > rootBounds.top
      if (isBelow) this.#below.add(target.id)
      else this.#below.delete(target.id)
    }
    if (this.#below.size !== before) this.#inbox.host.requestUpdate()
  }

  #watch(row: Element, delay: number): void {
    this.#timers.set(
      row,
      setTimeout(() => {
        if (isCovered(row)) this.#watch(row, COVERED_RETRY_MS)
        else this.#markSeen(row.id)
      }, delay)
    )
  }

  #waiting: NotifId[] = []

  /** Rows that come into sight together are one request. */
  #markSeen(id: NotifId): void {
    if (this.#waiting.push(id) > 1) return
    setTimeout(() => {
      const { store } = this.#inbox
      // A refusal changes nothing that the user did.
      store?.markAsSeen?.(this.#waiting.splice(0)).catch(() => {})
    })
  }
}

/** Something else is painted over the middle of the row: a dialog or a menu of the page or of the inbox. */
function isCovered(row: Element): boolean {
  const root = row.getRootNode() as ShadowRoot
  const { bottom, left, right, top } = row.getBoundingClientRect()
  const list = row.closest('.scrolls')?.getBoundingClientRect()
  const y = (Math.max(top, list?.top ?? 0) + Math.min(bottom, list?.bottom ?? innerHeight)) / 2
  const x = (left + right) / 2
  const outer = root.host.getRootNode() as Document | ShadowRoot
  const hit = outer.elementFromPoint(x, y)
  if (!hit || !root.host.contains(hit)) return true
  const inside = root.elementFromPoint(x, y)
  return inside !== null && inside.closest('.menu, .help') !== null
}
