// What the tests of broadcasts share: users, requests and what became of them.

import assert from 'node:assert/strict'

import type { Broadcast } from '../../../server/client/broadcasts.ts'
import { bucketOf } from '../../../server/core/id.ts'
import {
  asBackEnd,
  basic,
  CLIENT,
  OTHER,
  OTHER_SECRET,
  type Answer,
  type TestApp
} from '../../security/app.ts'
import { until } from '../../support/process.ts'

export const AT = `/${CLIENT}/broadcasts`
export const asOther = basic(`${OTHER}:${OTHER_SECRET}`)

export const json = (app: TestApp, method: string, path: string, body?: unknown): Promise<Answer> =>
  app.ask(path, {
    headers: asBackEnd,
    method,
    ...(body !== undefined && { body: JSON.stringify(body) })
  })

export async function ok(app: TestApp, method: string, path: string, body?: unknown): Promise<Broadcast> {
  const answer = await json(app, method, path, body)
  assert.ok(answer.status < 300, answer.text)
  return answer.json as unknown as Broadcast
}

/** Users `u0`, `u1` and so on. */
export async function addUsers(
  { db }: TestApp,
  count: number,
  { clientId = CLIENT, prefix = 'u' }: { readonly clientId?: string; readonly prefix?: string } = {}
): Promise<void> {
  const ids = Array.from({ length: count }, (_, i) => `${prefix}${i}`)
  await db.control`
    insert into users (bucket, env_id, id, properties, created_at)
    select bucket, ${clientId}, id, jsonb_build_object('plan', case when n % 3 = 0 then 'pro' else 'free' end), now() - interval '1 hour'
    from unnest(${ids.map(id => bucketOf(clientId, id))}::smallint[], ${ids}::text[]) with ordinality u(bucket, id, n)`
}

export const news = (to: object, more: object = {}) => ({
  inapp: { title: 'Storm on Thursday' },
  to,
  type: 'news',
  ...more
})

export const read = (app: TestApp, { broadcastId }: Broadcast): Promise<Broadcast> =>
  ok(app, 'GET', `${AT}/${broadcastId}`)

export async function ended(app: TestApp, broadcast: Broadcast): Promise<Broadcast> {
  await until(
    async () => (await read(app, broadcast)).endedAt !== undefined,
    'the broadcast has ended',
    30_000
  )
  return read(app, broadcast)
}

export const progress = ({ done, failed, leftOut, sent, state, total }: Broadcast) => ({
  done,
  failed,
  leftOut,
  sent,
  state,
  total
})

/** How many in-app notifications each user has, without those who have none. */
export async function inboxes({ db }: TestApp, clientId = CLIENT): Promise<Map<string, number>> {
  const rows = await db.control<{ id: string; count: number }[]>`
    select user_id as id, count(*)::integer as count from inbox_items where env_id = ${clientId} group by user_id`
  return new Map(rows.map(({ count, id }) => [id, count]))
}
