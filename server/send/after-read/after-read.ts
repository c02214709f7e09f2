// What follows when a user has read or archived items: other channels that still wait for them are cancelled, and phones that show
// their pushes are told to close them. Runs in the transaction of the change.
//
// Most users have neither waiting rows nor a phone, so that one statement is all.

import type { Notif } from '#protocol'

import { sha256 } from '../../core/hash.ts'
import { placementHash, uuidv7, type UserKey } from '../../core/id.ts'
import type { DatabaseGroup, Db, Tx } from '../../db/db.ts'
import { sharesPool } from '../../db/sql-helpers.ts'
import type { AfterRead } from '../../inbox/patch-items.sql.ts'
import type { NewOutboxRow } from '../../queue/outbox.sql.ts'
import { readDevices } from '../../users/devices.sql.ts'
import { deliveryQueue } from '../plan/recipient.ts'
import { cancelDelays, cancelDigestItems, cancelHeld, readKeepingTypes } from './cancel.sql.ts'
import type { CloseBody } from './close-body.ts'
import { enqueueOnce, findDeliveredPushes, hasFollowers } from './close-pushes.sql.ts'

/** Of one change, the newest. Closing is a courtesy, and a phone shows fewer. */
const MAX_CLOSED = 200

export const createAfterRead =
  (db: Db): AfterRead =>
  async (tx, user, { change: { items, version } }) => {
    const group = db.of(user.bucket)
    const { hasPhone, waits } = await hasFollowers(tx, user)
    if (waits) {
      const keepingTypes = sharesPool(tx) ? await readKeepingTypes(db, user.envId) : undefined
      const change = { keepingTypes, user, version }
      await cancelDelays(tx, group, change)
      await cancelDigestItems(tx, group, change)
      await cancelHeld(tx, group, change)
    }
    if (hasPhone) await closePushes(tx, group, user, items.filter(isRead).slice(-MAX_CLOSED))
  }

const isRead = ({ archived, opened }: Notif): boolean => opened !== undefined || archived !== undefined

async function closePushes(
  tx: Tx,
  group: DatabaseGroup,
  user: UserKey,
  items: readonly Notif[]
): Promise<void> {
  const pushes = await findDeliveredPushes(
    tx,
    group,
    user,
    items.map(({ id }) => id)
  )
  if (pushes.length === 0) return
  const [devices = []] = await readDevices(tx, [user])
  const { bucket, envId, userId } = user
  const rows = pushes.flatMap(({ id, ...push }) =>
    devices
      .filter(({ kind }) => kind !== 'web')
      .map(({ to, ...device }): NewOutboxRow => {
        const body: CloseBody = {
          close: id,
          device,
          notificationId: push.notificationId,
          to,
          ...(push.collapseId !== null && { collapseId: push.collapseId }),
          ...(push.threadId !== null && { threadId: push.threadId })
        }
        return {
          body,
          bucket,
          envId,
          id: uuidv7(placementHash(envId, userId)),
          key: `close:${id}:${sha256(to).toString('hex')}`,
          queue: deliveryQueue('PUSH', { device, to }),
          sendId: id,
          userId
        }
      })
  )
  await enqueueOnce(tx, rows)
}
