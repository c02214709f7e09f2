// Reads due digests with everything that decides about their items, before the transaction.

import type { Environment } from '../../config/environment-settings.ts'
import type { DatabaseGroup } from '../../db/db.ts'
import type { Context } from '../../process/context.ts'
import type { ClaimedRow } from '../../queue/outbox.sql.ts'
import { emptyType, type NotificationType } from '../../types/type.ts'
import type { Device } from '../../users/device.ts'
import { readDevices } from '../../users/devices.sql.ts'
import { readContacts, type Contact } from '../../users/users.sql.ts'
import { digestRowKey, type DigestBody, type DigestKey } from './digest.ts'

/** A claimed digest row with what decides about its items. */
export interface ClaimedDigest extends DigestKey {
  readonly row: ClaimedRow
  readonly key: string
  readonly zone: string
  /** False if the row was claimed early because its user has changed something. */
  readonly isDue: boolean
  readonly contact: Contact
  readonly devices: readonly Device[]
  /** Undefined if the environment was deleted. */
  readonly environment: Environment | undefined
  readonly type: NotificationType
}

export async function readDigests(
  context: Context,
  group: DatabaseGroup,
  rows: readonly ClaimedRow[]
): Promise<ClaimedDigest[]> {
  const topics = rows.map(row => ({ ...row, ...digestBody(row), subNotificationId: '' }))
  const [contacts, devices, environments, types] = await Promise.all([
    readContacts(group.work, topics),
    readDevices(group.work, rows),
    Promise.all(rows.map(row => context.environments.get(row.envId))),
    Promise.all(topics.map(({ envId, notificationId }) => context.types.get(envId, notificationId)))
  ])
  return rows.map((row, i): ClaimedDigest => {
    const { bucket, envId, userId } = row
    const { channel, dueAt, notificationId, period, zone } = digestBody(row)
    const digest = { bucket, channel, envId, notificationId, period, userId }
    return {
      ...digest,
      contact: contacts[i]!,
      devices: devices[i]!,
      environment: environments[i],
      // Both times are of the database's clock.
      isDue: row.dueAt.getTime() >= dueAt,
      key: digestRowKey(digest),
      row,
      // The delivery of a deleted type fails because the type is missing, and its dead letter says so.
      type: types[i] ?? emptyType(notificationId),
      zone
    }
  })
}

const digestBody = ({ body }: ClaimedRow): DigestBody => body as unknown as DigestBody
