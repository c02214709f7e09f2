// The line "New" stands above what came since the user looked last. It moves only when the inbox opens and something came since then that
// was not seen yet, so it is still there when the user comes back from a link; stored for each user.

import { readStored, writeStored } from '../core/on-demand/user-storage.ts'
import type { Instant, Notif } from '../protocol/index.ts'
import type { InboxElement } from './base/inbox-element.ts'
import { readUserKey } from './base/user-key.ts'

const NAME = 'look'
/** Before everything. */
const NEVER = ''

export class LookLine {
  /** Notifications after it came since the last look; undefined: none. */
  at: Instant | undefined
  /** Date of the newest notification when the user looked last. */
  #lookedAt: Instant | undefined
  #userKey: string | undefined
  #isRead = false

  /** The inbox opens. */
  open(host: InboxElement, items: readonly Notif[]): void {
    this.#read(host)
    const isNew = ({ archived, opened, seen }: Notif): boolean => !seen && !opened && !archived
    const newest = items[0]?.date
    // What was there at the last look may still count as not seen: it was out of sight, or the list comes from storage.
    if (items.some(item => isNew(item) && item.date > (this.#lookedAt ?? NEVER))) {
      // At the first look, above the newest that was seen.
      this.at = this.#lookedAt ?? items.find(item => !isNew(item))?.date ?? NEVER
    } else if (!items.some(item => this.isAfter(item) && !item.opened && !item.archived)) this.at = undefined
    if (newest) this.look(newest)
  }

  /** What arrives while the inbox is open was looked at when it closes. */
  look(newest: Instant): void {
    this.#lookedAt = newest
    if (this.#userKey) writeStored(this.#userKey, NAME, JSON.stringify([this.at, this.#lookedAt]))
  }

  isAfter({ date }: Notif): boolean {
    return this.at !== undefined && date > this.at
  }

  /** Another user. */
  forget(): void {
    this.#isRead = false
    this.at = this.#lookedAt = this.#userKey = undefined
  }

  #read(host: InboxElement): void {
    if (this.#isRead) return
    this.#isRead = true
    this.#userKey = readUserKey(host)?.key
    try {
      const [at, lookedAt] = JSON.parse((this.#userKey && readStored(this.#userKey, NAME)) || '[]')
      this.at = typeof at === 'string' ? at : undefined
      this.#lookedAt = typeof lookedAt === 'string' ? lookedAt : undefined
    } catch {
      // Written by something else.
    }
  }
}
