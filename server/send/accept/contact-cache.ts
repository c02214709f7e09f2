// What is stored about the users of sends, kept for some seconds: who is sent to again soon is not read again.
//
// What was kept may be old by then. The statement that writes a send proves it (sends.sql.ts), so a choice counts from its
// commit on, whichever node took it; where the proof fails, all of the group is read.

import type { UserKey } from '../../core/id.ts'
import type { Query } from '../../db/db.ts'
import type { Topic } from '../../users/preferences/preference.ts'
import { readContacts, type Contact } from '../../users/users.sql.ts'
import { FEW } from './batcher.ts'

/** Milliseconds after which an entry goes, after twice as long at the latest. An environment is purged later than that. */
const LIFE = 15_000

/** Contacts and their preferences in one generation; there are two. */
const KEPT = 20_000

export type Asked = UserKey & Topic

/**
 * Only for groups of few. A large one divides the cost of its reading among many, and would too often hold somebody who
 * has changed.
 */
export interface Contacts {
  /** @returns in the order of `users` */
  read(query: Query, users: readonly Asked[]): Promise<readonly Contact[]>
  /** The same, and none of it was kept. */
  readAgain(query: Query, users: readonly Asked[]): Promise<readonly Contact[]>
}

/** None of the ids holds a NUL. */
const nameOf = ({ envId, notificationId, subNotificationId, userId }: Asked): string =>
  [envId, userId, notificationId, subNotificationId].join('\0')

export interface ContactsOptions {
  /** Default: {@link KEPT} */
  readonly kept?: number
  /** Default: {@link LIFE} */
  readonly life?: number
}

export function openContacts({ kept = KEPT, life = LIFE }: ContactsOptions = {}): Contacts {
  let young = new Map<string, Contact>()
  let old: typeof young = new Map()
  let weight = 0
  let turning: NodeJS.Timeout | undefined

  const turn = (): void => {
    clearTimeout(turning)
    old = young
    young = new Map()
    weight = 0
    turning = old.size > 0 ? setTimeout(turn, life).unref() : undefined
  }

  const keep = (name: string, contact: Contact): void => {
    old.delete(name)
    young.delete(name)
    // The first send of a topic has to be remembered, and the second one to find that it was.
    if (!contact.received) return
    const more = 1 + contact.preferences.length
    if (weight + more > kept) turn()
    weight += more
    young.set(name, { ...contact, kept: true })
    turning ??= setTimeout(turn, life).unref()
  }

  const readAgain = async (query: Query, users: readonly Asked[]): Promise<readonly Contact[]> => {
    const contacts = await readContacts(query, users)
    if (users.length <= FEW) for (const [i, user] of users.entries()) keep(nameOf(user), contacts[i]!)
    return contacts
  }

  return {
    async read(query, users) {
      if (users.length > FEW) return readContacts(query, users)
      const known = users.map(user => young.get(nameOf(user)) ?? old.get(nameOf(user)))
      const unknown = users.filter((_, i) => known[i] === undefined)
      const read = (await readAgain(query, unknown)).values()
      return known.map(contact => contact ?? read.next().value!)
    },
    readAgain
  }
}
