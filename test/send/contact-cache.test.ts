// The contact cache: a repeated send reads nothing, and still sees every change of its user.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { markAddress } from '../../server/channels/email/bounces/bounces.sql.ts'
import { bucketOf, placementHash, uuidv7, type UserKey } from '../../server/core/id.ts'
import type { DatabaseGroup } from '../../server/db/db.ts'
import { openContactCache, type ContactKey } from '../../server/send/accept/contact-cache.ts'
import { writeSends, type SendRow } from '../../server/send/accept/sends.sql.ts'
import { identifyUser } from '../../server/users/identify.sql.ts'
import { changePreferences, type PreferenceChange } from '../../server/users/preferences/preferences.sql.ts'
import { eraseUser } from '../../server/users/privacy/erase.ts'
import { identity } from '../../server/users/schema.ts'
import { testDb } from '../support/db.ts'
import { accepting, ENV, watched } from './test-acceptor.ts'

const keyOf = (userId: string): UserKey => ({ bucket: bucketOf(ENV, userId), envId: ENV, userId })

const identified =
  (details: object) =>
  async ({ sql }: DatabaseGroup, user: UserKey): Promise<void> =>
    void (await identifyUser(sql, user, identity.parse(details), {
      limits: { devices: 200, properties: 25 },
      isBackEnd: true
    }))

const chosen =
  (change: PreferenceChange) =>
  async ({ sql }: DatabaseGroup, user: UserKey): Promise<void> =>
    void (await sql.begin(tx => changePreferences(tx, user, change)))

const OFF = { channel: 'EMAIL', delivery: 'off', notificationId: 't', subNotificationId: '' } as const

/** Changes of a user one after the other, and the email of the next send after each. */
const STORY: readonly {
  readonly what: string
  readonly change: (group: DatabaseGroup, user: UserKey, last: string) => Promise<void>
  readonly mail: string
}[] = [
  { change: identified({ email: 'one@example.com' }), mail: 'one@example.com', what: 'has an address' },
  { change: identified({ email: 'two@example.com' }), mail: 'two@example.com', what: 'has another one' },
  { change: chosen({ choices: [OFF], kind: 'merge' }), mail: 'preference-off', what: 'wants no mail' },
  { change: chosen({ choices: [], kind: 'replace' }), mail: 'two@example.com', what: 'has chosen nothing' },
  { change: chosen({ choices: [OFF], kind: 'replace' }), mail: 'preference-off', what: 'wants none again' },
  {
    change: chosen({ choices: [{ ...OFF, delivery: null }], kind: 'merge' }),
    mail: 'two@example.com',
    what: 'takes that back'
  },
  { change: chosen({ choices: [OFF], kind: 'merge' }), mail: 'preference-off', what: 'wants none once more' },
  { change: chosen({ kind: 'remove', notificationId: 't' }), mail: 'two@example.com', what: 'forgets it' },
  {
    change: ({ sql }, user, sendId) =>
      markAddress(sql, { ...user, sendId }, 'two@example.com', { code: '5.1.1', detail: 'no such mailbox' }),
    mail: 'address-bounced',
    what: 'has a mailbox that is gone'
  },
  { change: identified({ emailBounce: null }), mail: 'two@example.com', what: 'has it back' },
  {
    change: async (group, user) => void (await eraseUser({ groups: [group], of: () => group }, user)),
    mail: 'no-address',
    what: 'is erased'
  }
]

test('the next send sees every change of a user', async () => {
  await using t = await testDb()
  const { close, db, statements } = watched(t.db, t.url)
  const { accept } = await accepting(db)
  const user = keyOf('u')
  const group = t.db.groups[0]!
  let last = ''

  const mailOf = async (): Promise<string> => {
    const { body } = await accept({ email: { html: 'x', subject: 'x' }, to: { id: user.userId } })
    last = (body as { trackingId: string }).trackingId
    const [row] = await group.sql<{ to: string | null; decision: string }[]>`
      select decisions ->> 'EMAIL' as decision, (select body ->> 'to' from outbox o where o.send_id = s.id) as to
      from sends s where id = ${last}`
    return row!.to ?? row!.decision
  }

  let mail = 'no-address'
  for (const { change, mail: expected, what } of STORY) {
    // The first send stores the topic, the second reads that it is stored, the third reads nothing.
    for (let i = 0; i < 3; i += 1) {
      statements.length = 0
      assert.equal(await mailOf(), mail, `before the user ${what}`)
    }
    assert.deepEqual(
      statements.map(text => /^\w+/.exec(text)![0]),
      ['with'],
      `before the user ${what}`
    )
    await change(group, user, last)
    assert.equal(await mailOf(), expected, `the user ${what}`)
    mail = expected
  }
  await close()
})

test('checks two topics of one user that were cached at different times', async () => {
  await using t = await testDb()
  const { accept } = await accepting(t.db)
  const group = t.db.groups[0]!
  const user = keyOf('u')
  const send = (type: string) => accept({ email: { html: 'x', subject: 'x' }, to: { id: user.userId }, type })
  const say = (email: string) => identified({ email })(group, user)
  await say('old@example.com')
  for (let i = 0; i < 3; i += 1) await send('one')
  await say('new@example.com')
  for (let i = 0; i < 3; i += 1) await send('other')
  const answers = await Promise.all([send('one'), send('other')])
  const ids = answers.map(({ body }) => (body as { trackingId: string }).trackingId)
  const rows = await group.sql<{ to: string }[]>`
    select body ->> 'to' as to from outbox where send_id = any(${ids}::uuid[])`
  assert.deepEqual(
    rows.map(({ to }) => to),
    ['new@example.com', 'new@example.com']
  )
})

test('writes every send of a batch to its current address if one user has changed', async () => {
  await using t = await testDb()
  const { accept } = await accepting(t.db)
  const group = t.db.groups[0]!
  const all = ['a', 'b', 'c']
  const round = () => Promise.all(all.map(id => accept({ email: { html: 'x', subject: 'x' }, to: { id } })))
  for (const id of all) await identified({ email: `${id}@example.com` })(group, keyOf(id))
  for (let i = 0; i < 3; i += 1) await round()
  await identified({ email: 'new@example.com' })(group, keyOf('b'))
  const ids = (await round()).map(({ body }) => (body as { trackingId: string }).trackingId)
  const rows = await group.sql<{ to: string }[]>`
    select o.body ->> 'to' as to from unnest(${ids}::uuid[]) with ordinality as r(id, i)
    join outbox o on o.send_id = r.id order by i`
  assert.deepEqual(
    rows.map(({ to }) => to),
    ['a@example.com', 'new@example.com', 'c@example.com']
  )
  const [items] = await group.sql`select count(*)::int as n from inbox_items`
  assert.equal(items!['n'], 12)
})

test('keeps a limited number of contacts for a short time', async () => {
  await using t = await testDb()
  const { close, db, statements } = watched(t.db, t.url)
  const { sql } = db.groups[0]!
  const contactKey = (userId: string, notificationId = 't'): ContactKey => ({
    ...keyOf(userId),
    notificationId,
    subNotificationId: ''
  })
  const { accept } = await accepting(t.db)
  for (const id of ['a', 'b', 'c']) await accept({ to: { id } })
  const readsOf = async (contacts: ReturnType<typeof openContactCache>, users: readonly ContactKey[]) => {
    statements.length = 0
    const found = await contacts.read(sql, users)
    return { kept: found.map(({ isCached }) => isCached === true), reads: statements.length }
  }
  await sql`select 1`

  const long = openContactCache()
  assert.deepEqual(await readsOf(long, [contactKey('a'), contactKey('b')]), {
    kept: [false, false],
    reads: 1
  })
  assert.deepEqual(await readsOf(long, [contactKey('b'), contactKey('a')]), { kept: [true, true], reads: 0 })
  // This topic was never sent, so it is read again until it was.
  const other = contactKey('a', 'other')
  for (let i = 0; i < 2; i += 1) assert.deepEqual(await readsOf(long, [other]), { kept: [false], reads: 1 })
  const many = Array.from({ length: 9 }, () => contactKey('a'))
  assert.deepEqual(await readsOf(long, many), { kept: many.map(() => false), reads: 1 })

  const short = openContactCache({ ttlMs: 1 })
  await short.read(sql, [contactKey('a')])
  while ((await readsOf(short, [contactKey('a')])).reads === 0) await new Promise(setImmediate)

  const choices = Array.from({ length: 10 }, (_, i) => ({ ...OFF, notificationId: `t${i}` }))
  await chosen({ choices, kind: 'merge' })(t.db.groups[0]!, keyOf('b'))
  // One with ten preferences weighs 11, so there is room for it and one other; the one used longest ago goes first.
  const tight = openContactCache({ maxWeight: 12 })
  const reads: number[] = []
  for (const id of ['a', 'a', 'b', 'b', 'a', 'c', 'b', 'a']) {
    reads.push((await readsOf(tight, [contactKey(id)])).reads)
  }
  assert.deepEqual(reads, [1, 0, 1, 0, 0, 1, 1, 1])
  await close()
})

test('compares the erasure epoch of each send of a batch with that of its own user', async () => {
  await using t = await testDb()
  const user = keyOf('u')
  const row = (erasureEpoch: number): SendRow => ({
    ...user,
    body: { to: { id: 'u' }, type: 't' },
    decisions: new Map(),
    erasureEpoch,
    id: uuidv7(placementHash(ENV, 'u')),
    notificationId: 't',
    subId: '',
    warnings: []
  })
  await t.db.control`insert into erasure_epochs (bucket, env_id, epoch) values (${user.bucket}, ${ENV}, 2)`
  const write = (...epochs: number[]) => writeSends(t.db.control, [], epochs.map(row))
  for (const epochs of [[1, 2], [2, 1], [3]]) await assert.rejects(write(...epochs), { code: 'NK001' })
  await write(2, 2)
  assert.equal((await t.db.control`select 1 from sends`).length, 2)
})
