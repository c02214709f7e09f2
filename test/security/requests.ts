// One valid request for every route with a body, which tests change in one place.

import { digestUserId } from '../../server/core/hash.ts'
import { bucketOf, placementHash, uuidv7 } from '../../server/core/id.ts'
import type { Db } from '../../server/db/db.ts'
import { enqueue } from '../../server/queue/outbox.sql.ts'
import { insertInboxItems } from '../support/fixtures.ts'
import { ADMIN_TOKEN, asAdmin, asBackEnd, asUser, CLIENT, OTHER, type TestApp } from './app.ts'

export interface Good {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Readonly<Record<string, unknown>>
  /** An empty body means something here. */
  readonly mayBeEmpty?: true
}

/** Already there when the tests begin. */
export const TYPE = 'comment'
export const USER = 'u1'

const user = `/${CLIENT}/users/${USER}`

/** A schedule of {@link USER} that a test puts there with {@link keepSchedule}. */
export const SCHEDULE = `01937f6e-0000-7000-8000-00000000${placementHash(CLIENT, USER).toString(16).padStart(4, '0')}`

export const keepSchedule = ({ db }: { readonly db: Db }): Promise<unknown> => {
  const runAt = new Date(Date.now() + 30 * 86_400_000)
  const schedule = runAt.toISOString()
  const send = { inapp: { title: 'Later' }, schedule, to: { id: USER }, type: TYPE }
  const body = { notificationId: TYPE, send, warnings: [] }
  const bucket = bucketOf(CLIENT, USER)
  const row = { body, bucket, envId: CLIENT, id: SCHEDULE, runAt, sendId: SCHEDULE, userId: USER }
  return db.of(bucket).sql.begin(tx => enqueue(tx, [{ ...row, queue: 'SCHEDULE' }]))
}

/** A dead letter of {@link USER} that a test puts there with {@link keepLetter}; nothing works in its queue. */
export const LETTER = SCHEDULE.replace('0000-7000', '0001-7000')

export const keepLetter = async ({ db }: { readonly db: Db }): Promise<void> => {
  const bucket = bucketOf(CLIENT, USER)
  await db.of(bucket).sql`
    insert into dead_letters (bucket, id, queue, claim_count, env_id, user_id, body, code)
    values (${bucket}, ${LETTER}, 'FETCH', 8, ${CLIENT}, ${USER}, '{}', '404') on conflict do nothing`
}

/** A task about {@link USER} with an export of one line, which a test puts there with {@link keepTask}; no process knows its kind. */
export const TASK = '01937f6e-0000-7000-8000-00000000000a'

const LINE = Buffer.from('{"row":{"id":"u1"},"table":"users"}\n')

export const keepTask = async ({ db }: { readonly db: Db }, userId = USER): Promise<void> => {
  const bucket = bucketOf(CLIENT, userId)
  await db.control`
    insert into tasks (id, env_id, kind, state, input, per_second, created_by, user_digest)
    values (${TASK}, ${CLIENT}, 'none', 'queued', '{}', 1, 'back-end', ${digestUserId(CLIENT, userId)})
    on conflict (id) do update set state = 'queued'`
  await db.of(bucket).sql`
    insert into user_exports (bucket, task_id, env_id, user_id, fence, bytes)
    values (${bucket}, ${TASK}, ${CLIENT}, ${userId}, 1, ${LINE.length}) on conflict do nothing`
  await db.of(bucket).sql`
    insert into user_export_parts (bucket, task_id, part, env_id, user_id, content)
    values (${bucket}, ${TASK}, 0, ${CLIENT}, ${userId}, ${LINE}) on conflict do nothing`
}

/** A broadcast of another year, which a test puts there with {@link keepBroadcast}. */
export const BROADCAST_ID = '01937f6e-0000-7000-8000-00000000000c'

export const keepBroadcast = async ({ db }: { readonly db: Db }): Promise<void> => {
  const input = { send: { inapp: { title: 'Later' }, type: TYPE }, to: { everyone: true }, warnings: [] }
  await db.control`
    insert into tasks (id, env_id, kind, state, input, per_second, created_by, start_at)
    values (${BROADCAST_ID}, ${CLIENT}, 'broadcast', 'queued', ${JSON.stringify(input)}::text::jsonb, 0, 'back-end',
      now() + interval '1 year')
    on conflict (id) do update set state = 'queued'`
}

/** A member of the dashboard whom a test puts there with {@link keepMember}. */
const MEMBER = '01937f6e-0000-7000-8000-00000000000b'

export const keepMember = async ({ db }: { readonly db: Db }): Promise<void> => {
  await db.control`
    insert into members (id, issuer, subject, name, role)
    values (${MEMBER}, 'https://login.example.com', 'ada', 'Ada', 'viewer')`
}

/** A send to {@link USER} in the log, which a test puts there with {@link keepSend}. */
export const SENT = uuidv7(placementHash(CLIENT, USER))

export const keepSend = async ({ db }: { readonly db: Db }): Promise<void> => {
  const { sql } = db.of(bucketOf(CLIENT, USER))
  const body = sql.json({ inapp: { title: 'Earlier' }, to: { id: USER }, type: TYPE })
  await sql`
    insert into sends (bucket, id, env_id, user_id, notification_id, body, decisions)
    values (${bucketOf(CLIENT, USER)}, ${SENT}, ${CLIENT}, ${USER}, ${TYPE}, ${body}, '{"INAPP_WEB":"sent"}')`
}

/** A notification of {@link USER} with a button for the webhook of the environment, which a test puts there with {@link keepItem}. */
export const ITEM = SENT.replace(/^.{8}/, '01937f6e')

export const keepItem = async ({ ask, db }: Pick<TestApp, 'ask' | 'db'>): Promise<void> => {
  const bucket = bucketOf(CLIENT, USER)
  const content = { actions: [{ id: 'approve', label: 'Approve', send: true }], title: 'Earlier' } as const
  const item = {
    bucket,
    content,
    envId: CLIENT,
    id: ITEM,
    notificationId: 'approval',
    subId: '',
    userId: USER
  }
  await db.of(bucket).sql.begin(tx => insertInboxItems(tx, [item]))
  // Refused by the guard, so that no attempt follows.
  const body = JSON.stringify({ webhook: { url: 'https://10.0.0.1/hooks' } })
  await ask(`/environments/${CLIENT}`, { body, headers: asAdmin, method: 'PATCH' })
}

/** A topic of which {@link USER} is a member, which a test puts there with {@link keepTopic}. */
export const TOPIC = 'team/42'

export const keepTopic = async ({ ask }: Pick<TestApp, 'ask'>): Promise<void> => {
  const body = JSON.stringify({ add: [USER] })
  await ask(`/${CLIENT}/topics/${encodeURIComponent(TOPIC)}/members`, {
    body,
    headers: asBackEnd,
    method: 'PUT'
  })
}

/** Without fractions and zone. A schedule may be at most 366 days away. */
const IN_THREE_MONTHS = new Date(Date.now() + 90 * 86_400_000).toISOString().slice(0, 19)

/** By method and pattern. */
export const GOOD: Readonly<Record<string, Good>> = {
  'POST /operators/session': {
    body: { adminToken: ADMIN_TOKEN },
    headers: {},
    path: '/operators/session'
  },
  'PATCH /operators/members/:memberId': {
    body: { blocked: false },
    headers: asAdmin,
    path: `/operators/members/${MEMBER}`
  },
  'PATCH /:clientId/schedule/:trackingId': {
    body: { schedule: `${IN_THREE_MONTHS}Z` },
    headers: asBackEnd,
    path: `/${CLIENT}/schedule/${SCHEDULE}`
  },
  'PATCH /:clientId/users/:userId/inbox': {
    body: { opened: '2026-11-20T04:34:37.557Z', trackingIds: 'ALL' },
    headers: asUser(USER),
    path: `${user}/inbox`
  },
  'PATCH /:clientId/users/:userId/preferences': {
    body: { quiet: { from: '22:00', to: '07:00' } },
    headers: asUser(USER),
    path: `${user}/preferences`
  },
  'PATCH /:clientId/users/:userId/inbox/:trackingId': {
    body: { progress: { value: 0.5 } },
    headers: asBackEnd,
    path: `${user}/inbox/${ITEM}`
  },
  'POST /:clientId/users/:userId/inbox/:trackingId/actions/:actionId': {
    body: { at: '2026-11-20T04:34:37.557Z' },
    headers: asUser(USER),
    mayBeEmpty: true,
    path: `${user}/inbox/${ITEM}/actions/approve`
  },
  'PATCH /:clientId/users/:userId/notifications/INAPP_WEB': {
    body: { archived: null, trackingIds: ['01937f6e-0000-7000-8000-000000000000'] },
    headers: asUser(USER),
    path: `${user}/notifications/INAPP_WEB`
  },
  'POST /:clientId/dead-letters/drop': {
    body: { filter: { code: 'no such code' } },
    headers: asBackEnd,
    path: `/${CLIENT}/dead-letters/drop`
  },
  'POST /:clientId/dead-letters/restore': {
    body: { ids: [LETTER] },
    headers: asBackEnd,
    path: `/${CLIENT}/dead-letters/restore`
  },
  'POST /:clientId/users/:userId/tasks': {
    body: { kind: 'export-user' },
    headers: asBackEnd,
    path: `${user}/tasks`
  },
  'POST /:clientId/broadcasts': {
    body: {
      inapp: { title: 'Later' },
      schedule: `${IN_THREE_MONTHS}Z`,
      to: { properties: { plan: 'none' } },
      type: TYPE
    },
    headers: asBackEnd,
    path: `/${CLIENT}/broadcasts`
  },
  'POST /:clientId/broadcasts/estimate': {
    body: { to: { properties: { plan: 'none' } } },
    headers: asBackEnd,
    path: `/${CLIENT}/broadcasts/estimate`
  },
  'POST /:clientId/tasks': {
    body: { input: { filter: { code: 'no such code' } }, kind: 'drop-dead-letters' },
    headers: asBackEnd,
    path: `/${CLIENT}/tasks`
  },
  'POST /:clientId/dead-letters/redrive': {
    body: { filter: { code: 'no such code' } },
    headers: asBackEnd,
    path: `/${CLIENT}/dead-letters/redrive`
  },
  'POST /:clientId/logs/:trackingId/resend': {
    body: { channels: ['INAPP_WEB'] },
    headers: asBackEnd,
    mayBeEmpty: true,
    path: `/${CLIENT}/logs/${SENT}/resend`
  },
  'POST /:clientId/logs/query': {
    body: { statusFilter: ['success'] },
    headers: asBackEnd,
    mayBeEmpty: true,
    path: `/${CLIENT}/logs/query`
  },
  'POST /:clientId/simulate': {
    body: { send: { inapp: { title: 'T' }, to: { id: 'u1' }, type: 'simulated' } },
    headers: asBackEnd,
    path: `/${CLIENT}/simulate`
  },
  'POST /:clientId/notifications/:id/preview': {
    body: { parameters: { author: 'Amara' } },
    headers: asBackEnd,
    mayBeEmpty: true,
    path: `/${CLIENT}/notifications/${TYPE}/preview`
  },
  'PATCH /user/inapp': {
    body: { opened: '2026-11-20T04:34:37.557Z', trackingIds: ['01937f6e-0000-7000-8000-000000000000'] },
    headers: asUser(USER),
    path: '/user/inapp'
  },
  'POST /users/:userId': {
    body: { email: 'u1@example.com' },
    headers: asUser(USER),
    mayBeEmpty: true,
    path: `/users/${USER}`
  },
  'PATCH /users/:userId/preferences': {
    body: { quiet: { from: '22:00', to: '07:00' } },
    headers: asUser(USER),
    path: `/users/${USER}/preferences`
  },
  'POST /users/:userId/preferences': {
    body: { preferences: [{ channel: 'EMAIL', delivery: 'off', notificationId: TYPE }] },
    headers: asUser(USER),
    path: `/users/${USER}/preferences`
  },
  'PATCH /environments/:clientId': {
    body: { title: 'Production' },
    headers: asAdmin,
    path: `/environments/${CLIENT}`
  },
  'POST /environments': {
    body: { title: 'Staging' },
    headers: asAdmin,
    path: '/environments'
  },
  'POST /environments/:clientId/keys': {
    body: { name: 'Billing', scopes: ['send'] },
    headers: asAdmin,
    path: `/environments/${CLIENT}/keys`
  },
  'POST /queues/:queue/pause': {
    body: { until: '2099-01-01T00:00:00Z' },
    headers: asAdmin,
    mayBeEmpty: true,
    path: '/queues/SLACK/pause'
  },
  'POST /environments/:clientId/secret': {
    body: { graceSeconds: 60 },
    headers: asAdmin,
    mayBeEmpty: true,
    path: `/environments/${OTHER}/secret`
  },
  'PUT /:clientId/topics/:topicId': {
    body: { title: 'Team 42' },
    headers: asBackEnd,
    path: `/${CLIENT}/topics/${encodeURIComponent(TOPIC)}`
  },
  'PUT /:clientId/topics/:topicId/members': {
    body: { add: [USER], remove: ['u2'] },
    headers: asBackEnd,
    mayBeEmpty: true,
    path: `/${CLIENT}/topics/${encodeURIComponent(TOPIC)}/members`
  },
  'POST /:clientId/sender': {
    body: { to: { id: USER }, type: TYPE },
    headers: asBackEnd,
    path: `/${CLIENT}/sender`
  },
  'POST /:clientId/sender/retract': {
    body: { notificationId: TYPE, userId: USER },
    headers: asBackEnd,
    path: `/${CLIENT}/sender/retract`
  },
  'POST /:clientId/user_preferences/:userId': {
    body: { preferences: [{ channel: 'EMAIL', delivery: 'off', notificationId: TYPE }] },
    headers: asBackEnd,
    mayBeEmpty: true,
    path: `/${CLIENT}/user_preferences/${USER}`
  },
  'POST /:clientId/users/:userId/preferences': {
    body: { preferences: [{ channel: 'EMAIL', delivery: 'off', notificationId: TYPE }] },
    headers: asUser(USER),
    path: `${user}/preferences`
  },
  'POST /:clientId/users/:userId': {
    body: { email: 'u1@example.com' },
    headers: asUser(USER),
    mayBeEmpty: true,
    path: user
  },
  'POST /demo/send': {
    body: { channels: ['INAPP_WEB'], title: 'Hello', to: 'amara', type: TYPE },
    headers: {},
    path: '/demo/send'
  },
  'POST /demo/try': {
    body: { body: { inapp: { title: 'Hello' }, to: { id: 'amara' }, type: TYPE }, operation: 'send' },
    headers: {},
    path: '/demo/try'
  },
  'PUT /:clientId/layouts/:partialId': {
    body: { text: '<main>{{ content_for_layout }}</main>' },
    headers: asBackEnd,
    path: `/${CLIENT}/layouts/brand`
  },
  'PUT /:clientId/partials/:partialId': {
    body: { text: '<a href="{{ url }}">{{ label }}</a>' },
    headers: asBackEnd,
    path: `/${CLIENT}/partials/button`
  },
  'PATCH /:clientId/users/:userId': {
    body: { locale: 'de' },
    headers: asBackEnd,
    path: user
  },
  'POST /environments/:clientId/promotions': {
    body: { to: OTHER, type: TYPE },
    headers: asAdmin,
    path: `/environments/${CLIENT}/promotions`
  },
  'POST /:clientId/notifications/:id/publish': {
    body: { version: 1 },
    headers: asBackEnd,
    path: `/${CLIENT}/notifications/${TYPE}/publish`
  },
  'PUT /:clientId/notifications/:id/draft': {
    body: { title: 'Comments' },
    headers: asBackEnd,
    path: `/${CLIENT}/notifications/${TYPE}/draft`
  },
  'PUT /:clientId/notifications/:id': {
    body: { templates: { inapp: { title: '{{ author }} commented' } }, title: 'New comment' },
    headers: asBackEnd,
    path: `/${CLIENT}/notifications/${TYPE}`
  },
  'PUT /:clientId/notifications/:id/subNotifications/:subId': {
    body: { title: 'Project 1' },
    headers: asBackEnd,
    path: `/${CLIENT}/notifications/${TYPE}/subNotifications/project-1`
  },
  'PUT /:clientId/notifications/:id/templates/:channel': {
    body: { title: '{{ author }} commented' },
    headers: asBackEnd,
    path: `/${CLIENT}/notifications/${TYPE}/templates/inapp`
  },
  'PUT /:clientId/notifications/:id/templates/:channel/:templateId': {
    body: { body: '{{ text }}', title: '{{ author }} commented' },
    headers: asBackEnd,
    path: `/${CLIENT}/notifications/${TYPE}/templates/inapp/short`
  },
  'PUT /:clientId/schedule/:trackingId': {
    body: { schedule: `${IN_THREE_MONTHS}.1234567Z` },
    headers: asBackEnd,
    path: `/${CLIENT}/schedule/${SCHEDULE}`
  }
}

/** Everything that the body of a send may hold, each with a value that is right. */
export const FULL_SEND = {
  call: { message: 'Hello' },
  email: {
    html: '<p>{{ text }}</p>',
    previewText: 'A comment',
    senderEmail: 'sender@example.com',
    senderName: 'Comments',
    subject: '{{ author }} commented'
  },
  forceChannels: ['INAPP_WEB', 'EMAIL'],
  inapp: { body: 'Text', image: '/img/a.png', title: 'Hello {{ author }}', url: 'https://example.com/c/1' },
  mobile_push: { message: 'Hello', title: 'Comment' },
  options: {
    apn: {
      badge: 1,
      collapseId: 'c1',
      contentAvailable: true,
      expiry: 1_800_000_000,
      priority: 10,
      sound: 'ping',
      threadId: 't1'
    },
    email: {
      attachments: [
        { filename: 'a.txt', url: 'https://example.com/a.txt' },
        { content: 'aGVsbG8=', contentType: 'text/plain', filename: 'b.txt' }
      ],
      bccAddresses: ['b@example.com'],
      ccAddresses: ['c@example.com'],
      fromAddress: 'from@example.com',
      fromName: 'Comments',
      replyToAddresses: ['r@example.com']
    },
    fcm: {
      android: { collapseKey: 'c1', priority: 'high', restrictedPackageName: 'com.example', ttl: 60 }
    },
    push: { customData: { a: '1' } }
  },
  parameters: { author: 'Amara', text: 'Nice' },
  replace: { Nice: 'Very nice' },
  schedule: `${IN_THREE_MONTHS}Z`,
  secondaryId: 's1',
  slack: { text: 'Hello', username: 'Comments' },
  sms: {
    autoReply: { message: 'Thanks' },
    from: '+15005550006',
    mediaUrls: ['https://example.com/a.png'],
    message: 'Hi'
  },
  subNotificationId: 's1',
  templateId: 'short',
  to: { email: 'u1@example.com', id: USER, number: '+12025550123', timezone: 'Europe/Berlin' },
  type: TYPE,
  web_push: { icon: '/img/a.png', message: 'Hello', title: 'Comment', url: '/c/1' }
}
