// What is news to a person.

import type { InboxChange, Notif } from '../protocol/index.ts'

/** Notifications that were made after `version` and still wait for the person, oldest first, as they came. */
export const newsOf = (version: number, { items }: Pick<InboxChange, 'items'>): readonly Notif[] =>
  items.filter(item => Date.parse(item.date) > version && !item.opened && !item.archived)
