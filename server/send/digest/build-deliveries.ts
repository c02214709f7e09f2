// Builds the deliveries of a digest, and the log entries of its items. Pure except for new ids.

import type { Channel } from '#protocol'

import { placementHash, uuidv7 } from '../../core/id.ts'
import type { Json } from '../../db/db.ts'
import type { NewOutboxRow } from '../../queue/outbox.sql.ts'
import type { Device } from '../../users/device.ts'
import { findHold } from '../../users/preferences/hold.ts'
import type { Contact } from '../../users/users.sql.ts'
import { fetchBody } from '../attachments/fetch.ts'
import { holdRow } from '../hold/held-row.ts'
import { describeDecision, type Decision } from '../plan/decision.ts'
import {
  deliveryQueue,
  describeBounce,
  isBounced,
  mergeStoredContact,
  resolveTargets,
  storedReader,
  type Target
} from '../plan/recipient.ts'
import { composeDigest } from './compose-send.ts'
import type { StoredItem } from './digest-items.sql.ts'
import type { DigestLogEntry } from './digest-log.sql.ts'
import type { ClaimedDigest } from './read-digests.ts'

export interface BuiltDigest {
  readonly rows: readonly NewOutboxRow[]
  readonly logEntries: readonly DigestLogEntry[]
}

/** Builds one delivery, or one for each device, with the tracking id of the newest send. */
export function buildDigest(
  digest: ClaimedDigest,
  items: readonly StoredItem[],
  now: number,
  serverZone: string
): BuiltDigest {
  const { bucket, channel, contact, devices, envId, notificationId, type, userId } = digest
  const targets = newestTargets(channel, items, contact, devices)
  const discarded =
    targets.length === 0
      ? 'no-address'
      : targets.every(target => isBounced(channel, target, contact)) && 'address-bounced'
  if (discarded) {
    const detail = describeBounce(contact)
    const logEntries = items.map(item => digestLogEntry(item, channel, notificationId, discarded, detail))
    return { logEntries, rows: [] }
  }
  const leader = items.at(-1)!.id
  const parts = items.map(({ part }) => part)
  const { items: separate, send, template } = composeDigest(channel, parts, type, contact.locale)
  const fetch = channel === 'EMAIL' ? fetchBody(send.options?.email?.attachments) : undefined
  const isUrgent = type.settings.urgent === true
  const ownZone = contact.timezone ?? digest.environment?.settings.defaultTimezone ?? serverZone
  const hold = findHold(contact.settings, { isUrgent, now, zone: ownZone })
  const toRow = (target: Target): NewOutboxRow => ({
    body: {
      // Each of these sends may have fetched its attachments already.
      ...(fetch && { ...fetch, sends: items.map(({ id }) => id) }),
      ...target,
      ...storedReader(send.to, contact, digest.zone).reader,
      notificationId,
      send: send as unknown as Json,
      template,
      ...(separate && { items: separate as unknown as Json })
    },
    bucket,
    envId,
    id: uuidv7(placementHash(envId, userId), now),
    queue: fetch ? 'FETCH' : deliveryQueue(channel, target),
    sendId: leader,
    userId
  })
  const rows = targets.map(target => holdRow(toRow(target), hold, isUrgent))
  const logEntries = items.map(item => ({
    ...digestLogEntry(item, channel, notificationId, 'digested'),
    leader
  }))
  return { logEntries, rows }
}

/** The targets of the newest item that has any. An item takes its address from its send, or else the stored one. */
function newestTargets(
  channel: Channel,
  items: readonly StoredItem[],
  contact: Contact,
  devices: readonly Device[]
): readonly Target[] {
  for (const { part } of items.toReversed()) {
    const targets = resolveTargets(channel, mergeStoredContact(part.send.to, contact), devices)
    if (targets.length > 0) return targets
  }
  return []
}

/** Includes the sentence about the decision, if it has one. */
export function digestLogEntry(
  { bucket, id }: Pick<StoredItem, 'bucket' | 'id'>,
  channel: Channel,
  notificationId: string,
  decision: Decision,
  detail?: string
): DigestLogEntry {
  const warning = describeDecision(decision, channel, notificationId, detail)
  return {
    bucket,
    channel,
    decision,
    id,
    ...(detail !== undefined && { detail }),
    ...(warning !== undefined && { warning })
  }
}
