// The heads of a batch with all that decides about their items, read before the transaction.

import type { Environment } from '../../config/environment.ts'
import type { Group } from '../../db/db.ts'
import type { Context } from '../../process/context.ts'
import type { Claimed } from '../../queue/outbox.sql.ts'
import { typeSettings, type NotificationType } from '../../types/type.ts'
import type { Device } from '../../users/device.ts'
import { readDevices } from '../../users/devices.sql.ts'
import { readContacts, type Contact } from '../../users/users.sql.ts'
import { headKey, type DigestKey, type HeadBody } from './digest.ts'

/** A head with what decides about its items. */
export interface Head extends DigestKey {
  readonly row: Claimed
  readonly key: string
  readonly zone: string
  readonly isDue: boolean
  readonly contact: Contact
  readonly devices: readonly Device[]
  /** Undefined: it is gone, and nobody is left in whose name to send. */
  readonly environment: Environment | undefined
  readonly type: NotificationType
}

export async function readHeads(context: Context, group: Group, rows: readonly Claimed[]): Promise<Head[]> {
  const asked = rows.map(row => ({ ...row, ...bodyOf(row), subNotificationId: '' }))
  const [contacts, devices, environments, types] = await Promise.all([
    readContacts(group.work, asked),
    readDevices(group.work, rows),
    Promise.all(rows.map(row => context.environments.get(row.envId))),
    Promise.all(asked.map(({ envId, notificationId }) => context.types.get(envId, notificationId)))
  ])
  return rows.map((row, i): Head => {
    const { bucket, dueAt, envId, userId } = row
    const { channel, notificationId, period, until, zone } = bodyOf(row)
    const id = { bucket, channel, envId, notificationId, period, userId }
    return {
      ...id,
      contact: contacts[i]!,
      devices: devices[i]!,
      environment: environments[i],
      // By the clock of the database, which says both.
      isDue: dueAt.getTime() >= until,
      key: headKey(id),
      row,
      type: types[i] ?? forgotten(notificationId),
      zone
    }
  })
}

const bodyOf = ({ body }: Claimed): HeadBody => body as unknown as HeadBody

/** The delivery finds out that it is gone, and its dead letter says so. */
const forgotten = (id: string): NotificationType => ({
  channels: [],
  id,
  settings: typeSettings.parse({}),
  subs: new Map(),
  templates: new Map(),
  title: id
})
