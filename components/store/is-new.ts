// Finds the notifications that are new to the user.

import type { InboxChange, Notif } from '../protocol/index.ts'

/** Notifications after `version` that the user has neither opened nor archived, oldest first. */
export const findNew = (version: number, { items }: Pick<InboxChange, 'items'>): readonly Notif[] =>
  items.filter(item => Date.parse(item.date) > version && !item.opened && !item.archived)
