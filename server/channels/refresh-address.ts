// Reads the addresses of redriven deliveries again. An address that the send itself gave stays; one from the store is that of now.

import type { Channel as ChannelName } from '#protocol'

import type { DatabaseGroup } from '../db/db.ts'
import type { ClaimedRow } from '../queue/outbox.sql.ts'
import type { Outcome } from '../queue/outcome.ts'
import { toChannel, type QueueName } from '../queue/queues.ts'
import { deliveryQueue, mergeStoredContact, resolveTargets, type Target } from '../send/plan/recipient.ts'
import type { Send } from '../send/send-request.ts'
import type { Device } from '../users/device.ts'
import { readDevices } from '../users/devices.sql.ts'
import { readContacts, type Contact } from '../users/users.sql.ts'
import type { DeliveryBody } from './channel.ts'
import { storeAddresses } from './deliveries.sql.ts'

export const ADDRESS_REMOVED_OUTCOME: Outcome = {
  code: 'no-address',
  detail: 'The user has no address for this channel any more.',
  kind: 'dead'
}

const NO_TOPIC = { notificationId: '', subNotificationId: '' }

export const isRedriven = ({ body }: Pick<ClaimedRow, 'body'>): boolean =>
  (body as DeliveryBody | null)?.isRedriven === true

/**
 * Stores the addresses in the outbox, and changes the bodies of the claimed rows, which the log reads too.
 *
 * @param rows - redriven deliveries of one queue
 * @param readSend - returns the send of a row; undefined if the log has deleted it
 * @returns ids of rows whose user has no address any more
 */
export async function refreshAddresses(
  group: DatabaseGroup,
  queue: QueueName,
  rows: readonly ClaimedRow[],
  readSend: (row: ClaimedRow) => Promise<Readonly<Record<string, unknown>> | undefined>
): Promise<ReadonlySet<string>> {
  const [contacts, devices, sends] = await Promise.all([
    readContacts(
      group.work,
      rows.map(row => ({ ...row, ...NO_TOPIC }))
    ),
    readDevices(group.work, rows),
    Promise.all(rows.map(readSend))
  ])
  const refreshed: ClaimedRow[] = []
  const removed = new Set<string>()
  for (const [i, row] of rows.entries()) {
    const send = sends[i] as Send | undefined
    if (!send) continue
    const { device: _, isRedriven: __, ...body } = row.body as DeliveryBody
    const target = findTarget(queue, send, { contact: contacts[i]!, devices: devices[i]! }, body.to)
    if (!target) removed.add(row.id)
    else refreshed.push(Object.assign(row, { body: { ...body, ...target } }))
  }
  if (refreshed.length > 0) await storeAddresses(group, refreshed)
  return removed
}

/** @returns undefined if there is no address. A device is replaced only if the user has just one, which the message did not reach */
function findTarget(
  queue: QueueName,
  send: Send,
  { contact, devices }: { readonly contact: Contact; readonly devices: readonly Device[] },
  before: string
): Target | undefined {
  const channel = toChannel(queue) as ChannelName
  const targets = resolveTargets(channel, mergeStoredContact(send.to, contact), devices).filter(
    target => deliveryQueue(channel, target) === queue
  )
  const same = targets.find(({ to }) => to === before)
  if (same || targets.length === 1) return same ?? targets[0]
  // The address of a digest may be that of an older item, which the row does not have.
  return isDigest(send) && targets.length === 0 ? { to: before } : undefined
}

const isDigest = ({ parameters }: Send): boolean => Array.isArray(parameters?.['_items'])
