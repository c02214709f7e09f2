// A digest as the rows of its deliveries, and what the log says of its items. Pure but for new ids.

import type { Channel } from '#protocol'

import { placementHash, uuidv7 } from '../../core/id.ts'
import type { Json } from '../../db/db.ts'
import type { NewRow } from '../../queue/outbox.sql.ts'
import type { Device } from '../../users/device.ts'
import type { Contact } from '../../users/users.sql.ts'
import { queueOf } from '../accept/rows.ts'
import { fetchOf } from '../attachments/fetch.ts'
import { sentenceOf, type Decision } from '../plan/decision.ts'
import { mergedUser, readerOf } from '../plan/recipient.ts'
import { isBounced, targetsFor, whyBounced, type Target } from '../plan/target.ts'
import { compose } from './compose.ts'
import type { Fate } from './digest-log.sql.ts'
import type { StoredItem } from './items.sql.ts'
import type { Head } from './read-heads.ts'

export interface Made {
  readonly rows: readonly NewRow[]
  readonly fates: readonly Fate[]
}

/** One delivery, or one to each device; under the id of the newest send. */
export function digestOf(head: Head, items: readonly StoredItem[], now: number): Made {
  const { bucket, channel, contact, devices, envId, notificationId, type, userId } = head
  const targets = newestTargets(channel, items, contact, devices)
  const none =
    targets.length === 0
      ? 'no-address'
      : targets.every(target => isBounced(channel, target, contact)) && 'address-bounced'
  if (none) {
    const why = whyBounced(contact)
    return { fates: items.map(item => fateOf(item, channel, notificationId, none, why)), rows: [] }
  }
  const leader = items.at(-1)!.id
  const parts = items.map(({ part }) => part)
  const { items: each, send, template } = compose(channel, parts, type, contact.locale)
  const fetch = channel === 'EMAIL' ? fetchOf(send.options?.email?.attachments) : undefined
  const rows = targets.map((target): NewRow => ({
    body: {
      // Each send fetched its own.
      ...(fetch && { ...fetch, sends: items.map(({ id }) => id) }),
      ...target,
      ...readerOf(send.to, contact, head.zone).reader,
      notificationId,
      send: send as unknown as Json,
      template,
      ...(each && { items: each as unknown as Json })
    },
    bucket,
    envId,
    id: uuidv7(placementHash(envId, userId), now),
    queue: fetch ? 'FETCH' : queueOf({ channel, template, ...target }),
    sendId: leader,
    userId
  }))
  return {
    fates: items.map(item => ({ ...fateOf(item, channel, notificationId, 'digested'), leader })),
    rows
  }
}

/** The address that the newest send was for which there is one, or the one that is known now. */
function newestTargets(
  channel: Channel,
  items: readonly StoredItem[],
  contact: Contact,
  devices: readonly Device[]
): readonly Target[] {
  for (const { part } of items.toReversed()) {
    const targets = targetsFor(channel, mergedUser(part.send.to, contact), devices)
    if (targets.length > 0) return targets
  }
  return []
}

/** With the sentence about a decision, where it has one. */
export function fateOf(
  { bucket, id }: Pick<StoredItem, 'bucket' | 'id'>,
  channel: Channel,
  notificationId: string,
  decision: Decision,
  detail?: string
): Fate {
  const warning = sentenceOf(decision, channel, notificationId, detail)
  return { bucket, channel, decision, id, ...(warning !== undefined && { warning }) }
}
