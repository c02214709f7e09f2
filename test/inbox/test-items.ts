// Fixtures of the inbox tests: items, users and transactions.

import { bucketOf, placementHash, uuidv7 } from '../../server/core/id.ts'
import type { Db, Tx } from '../../server/db/db.ts'
import type { NewItem } from '../../server/inbox/items.sql.ts'

export const ENV = 'env'

export const userKey = (userId: string, envId = ENV) => ({ bucket: bucketOf(envId, userId), envId, userId })

export const target = (userId: string, id: string) => Object.assign(userKey(userId), { id })

export const newItem = (userId: string, more: Partial<NewItem> = {}): NewItem => ({
  ...userKey(userId),
  content: { title: 'hello' },
  id: uuidv7(placementHash(ENV, userId)),
  notificationId: 'new_comment',
  subId: '',
  ...more
})

export const transact = <T>(db: Db, userId: string, work: (tx: Tx) => Promise<T>): Promise<T> =>
  db.of(userKey(userId).bucket).sql.begin(work) as Promise<T>
