// Attachments by address: fetched right after the accept, unchanged in the email, and deleted with the last row that needs them.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'

import PostalMime from 'postal-mime'

import { bucketOf, placementHash, uuidv7 } from '../../../server/core/id.ts'
import {
  deleteOrphanedAttachments,
  readParts,
  readAvailableFiles,
  storeFile,
  storePart
} from '../../../server/send/attachments/attachments.sql.ts'
import { openDiskBudget } from '../../../server/send/attachments/disk-budget.ts'
import { changePreferences } from '../../../server/users/preferences/preferences.sql.ts'
import { onlyGroup } from '../../queue/test-queue.ts'
import { testDb } from '../../support/db.ts'
import { until } from '../../support/process.ts'
import { bytesOf, digestOf, fileHost } from './host.ts'
import { ENV, mailing } from './mailing.ts'

/** A fetch of 2024. */
const LONG_AGO = '018cc251-f400-7000-8000-000000000000'

const mailOf = async ({ raw }: { raw: string }) => PostalMime.parse(raw)

test('an email contains its files in their order, and no file stays behind', async () => {
  await using t = await testDb()
  await using host = await fileHost()
  await using m = await mailing(t.db)
  const sizes = [0, 1, 65_536, 300_001]
  const answer = await m.send([
    ...sizes.map(size => ({ filename: `../${size}.bin`, url: `${host.url}/bytes/${size}` })),
    { content: 'SGVsbG8=', fileName: 'hello.txt' },
    { filename: 'twice', url: `${host.url}/bytes/65536` }
  ])
  assert.equal(answer.status, 200)
  await m.settle()
  const mail = await mailOf(m.peer.received[0]!)
  assert.deepEqual(
    mail.attachments.map(file => file.filename),
    ['_0.bin', '_1.bin', '_65536.bin', '_300001.bin', 'hello.txt', 'twice']
  )
  assert.deepEqual(
    mail.attachments.map(file => digestOf(new Uint8Array(file.content as ArrayBuffer))),
    [...sizes.map(bytesOf), Buffer.from('Hello'), bytesOf(65_536)].map(digestOf)
  )
  assert.equal(mail.attachments[1]!.mimeType, 'application/pdf')
  assert.equal(host.requests.length, 4, 'the same address is fetched once')
  assert.deepEqual(await m.counts(), { dead: [], files: 0, pieces: 0, waiting: [] })
  const tries = await t.db.control`select channel, outcome from attempts order by id`
  assert.deepEqual(
    tries.map(row => [row['channel'], row['outcome']]),
    [
      ['EMAIL', 'forwarded'],
      ['EMAIL', 'sent']
    ]
  )
})

test('retries a failing server, and does not fetch stored files again', async () => {
  await using t = await testDb()
  await using host = await fileHost()
  // An email with some of its files continues, even if they fill the disk budget.
  await using m = await mailing(t.db, {}, { maxWaitingBytes: 10 })
  await m.send([
    { filename: 'a', url: `${host.url}/bytes/10` },
    { filename: 'b', url: `${host.url}/flaky` }
  ])
  await m.settle()
  assert.equal(m.peer.received.length, 0, 'no mail without its files')
  await m.pass(60)
  await m.settle()
  assert.equal((await mailOf(m.peer.received[0]!)).attachments.length, 2)
  assert.deepEqual(host.requests, ['/bytes/10', '/flaky', '/flaky'])
})

test('a file that cannot be fetched becomes a dead letter with the reason', async () => {
  await using t = await testDb()
  await using host = await fileHost()
  await using m = await mailing(t.db, { NOTIF_EMAIL_MAX_BYTES: '100000' })
  const want = (url: string) => m.send([{ filename: 'a', url }])
  await want(`${host.url}/status/403?signature=secret`)
  await want('http://127.0.0.2:9/inside')
  await want(`${host.url}/bytes/80000`)
  await want(`${host.url}/missing`)
  // Of unknown length: some of it is stored before it is too much.
  await want(`${host.url}/drip/4`)
  // The other attachments of the email count as well.
  const own = { content: Buffer.alloc(50_000).toString('base64'), filename: 'own' }
  await m.send([own, { filename: 'a', url: `${host.url}/bytes/30000` }])
  for (let i = 0; i < 4; i++) {
    await m.settle()
    await m.pass(3600)
  }
  await m.settle()
  const { dead, pieces, waiting } = await m.counts()
  assert.deepEqual(waiting, [])
  assert.equal(pieces, 0)
  assert.deepEqual(dead.map(one => one.code).sort(), [
    'attachment-403',
    'attachment-404',
    'attachment-forbidden',
    'attachment-too-large',
    'attachment-too-large',
    'attachment-too-large'
  ])
  assert.ok(!JSON.stringify(dead).includes('signature'), 'what is signed stays out of the log')
  assert.equal(host.requests.filter(path => path === '/missing').length, 4)
  assert.equal(m.peer.received.length, 0)
})

test('fetches nothing while too many files wait for their emails, and everything afterwards', async () => {
  await using t = await testDb()
  await using host = await fileHost()
  {
    await using m = await mailing(t.db, {}, { maxWaitingBytes: 0 })
    await m.send([{ filename: 'a', url: `${host.url}/bytes/10` }])
    const isClaimed = async () => (await t.db.control`select from outbox where leased`).length === 1
    await until(isClaimed, 'the try')
    // Attempts in progress get a second.
  }
  assert.deepEqual(host.requests, [])
  const [row] = await t.db.control`select queue, attempts_left from outbox where bucket >= 0`
  assert.deepEqual(row, { queue: 'FETCH', attempts_left: 8 })
  await using m = await mailing(t.db)
  await m.settle()
  assert.equal((await mailOf(m.peer.received[0]!)).attachments.length, 1)
})

test('a stored file counts until its email was sent', async () => {
  await using t = await testDb()
  await using host = await fileHost()
  await using m = await mailing(t.db, {}, { only: ['FETCH'] })
  let now = 0
  const budget = openDiskBudget(onlyGroup(t.db), 300, () => now)
  // An aborted signal returns the current state at once.
  const isFree = () => budget.waitForSpace(AbortSignal.abort())
  assert.equal(await isFree(), true)
  budget.add(300)
  assert.equal(await isFree(), false, 'before the next query the added bytes count')
  for (const bytes of [100, 200]) await m.send([{ filename: 'a', url: `${host.url}/bytes/${bytes}` }])
  await m.queues.idle('FETCH')
  now = 1000
  assert.equal(await isFree(), false)
  await t.db.control`delete from outbox where bucket >= 0 and queue = 'EMAIL'`
  assert.equal(await isFree(), false, 'the last look is believed for a moment')
  now = 2000
  assert.equal(await isFree(), true)
})

test('many failing addresses do not stop other fetches', async () => {
  await using t = await testDb()
  await using host = await fileHost()
  await using m = await mailing(t.db)
  await Promise.all(
    Array.from({ length: 30 }, () => m.send([{ filename: 'a', url: `${host.url}/status/500` }]))
  )
  await m.settle()
  await m.send([{ filename: 'a', url: `${host.url}/bytes/10` }])
  await m.settle()
  assert.equal(m.peer.received.length, 1)
})

test('files of a schedule are fetched at once and sent at its time, after their addresses have expired', async () => {
  await using t = await testDb()
  await using host = await fileHost()
  await using m = await mailing(t.db)
  const schedule = new Date(Date.now() + 100 * 86_400_000).toISOString()
  await m.send([{ filename: 'a', url: `${host.url}/bytes/70000` }], { schedule })
  await m.settle()
  const { files, waiting } = await m.counts()
  assert.deepEqual([files, waiting], [1, ['SCHEDULE']])
  host.over = true
  const group = t.db.groups[0]!
  await t.db.control`update attachment_parts set fetch_id = ${LONG_AGO} where bucket >= 0`
  await t.db.control`update attachments set fetch_id = ${LONG_AGO} where bucket >= 0`
  assert.equal(await deleteOrphanedAttachments(group), 0, 'a pending email needs its file')
  await m.pass(101 * 86_400)
  await m.settle()
  const [file] = (await mailOf(m.peer.received[0]!)).attachments
  assert.equal(digestOf(new Uint8Array(file!.content as ArrayBuffer)), digestOf(bytesOf(70_000)))
  assert.deepEqual(await m.counts(), { dead: [], files: 0, pieces: 0, waiting: [] })
  assert.equal(host.requests.length, 1)
})

test('a digest contains the files of all its sends, each fetched when its send was accepted', async () => {
  await using t = await testDb()
  await using host = await fileHost()
  await using m = await mailing(t.db)
  const user = { bucket: bucketOf(ENV, 'u1'), envId: ENV, userId: 'u1' }
  const daily = { channel: 'EMAIL', delivery: 'daily', notificationId: 't', subNotificationId: '' } as const
  await t.db.control.begin(tx => changePreferences(tx, user, { choices: [daily], kind: 'merge' }))
  await m.send([{ filename: 'a', url: `${host.url}/bytes/10` }])
  await m.send([{ filename: 'b', url: `${host.url}/bytes/20` }])
  await m.settle()
  assert.equal((await m.counts()).files, 2)
  host.over = true
  const group = t.db.groups[0]!
  await t.db.control`update attachment_parts set fetch_id = ${LONG_AGO} where bucket >= 0`
  await t.db.control`update attachments set fetch_id = ${LONG_AGO} where bucket >= 0`
  assert.equal(await deleteOrphanedAttachments(group), 0, 'a pending email needs its file')
  await t.db.control`
    update outbox set run_at = now(), body = jsonb_set(body, '{dueAt}', '0') where bucket >= 0 and queue = 'DIGEST'`
  await m.settle()
  const { attachments } = await mailOf(m.peer.received[0]!)
  assert.deepEqual(
    attachments.map(file => [file.filename, (file.content as ArrayBuffer).byteLength]),
    [
      ['a', 10],
      ['b', 20]
    ]
  )
  assert.ok((await deleteOrphanedAttachments(group)) > 0)
  assert.deepEqual(await m.counts(), { dead: [], files: 0, pieces: 0, waiting: [] })
})

test('a file with a deleted part is not sent', async () => {
  await using t = await testDb()
  await using host = await fileHost()
  await using m = await mailing(t.db, {}, { only: ['FETCH'] })
  const { trackingId: sendId } = await m.send([{ filename: 'a', url: `${host.url}/bytes/300000` }])
  await m.queues.idle('FETCH')
  const group = t.db.groups[0]!
  const bucket = bucketOf(ENV, 'u1')
  const [file] = await readAvailableFiles(group, { bucket, sendId })
  const read = async (): Promise<number> => {
    let pieces = 0
    for await (const _ of readParts(group, bucket, file!)) pieces += 1
    return pieces
  }
  assert.ok((await read()) > 1)
  await t.db.control`delete from attachment_parts where bucket >= 0 and part = 1`
  await assert.rejects(read(), /A part of an attachment was deleted/)
})

test('a file is not stored if its outbox row was deleted, so an erased user leaves no file', async () => {
  await using t = await testDb()
  const group = t.db.groups[0]!
  const place = placementHash(ENV, 'u1')
  const [rowId, sendId, fetchId] = [uuidv7(place), uuidv7(place), uuidv7(place)]
  const owner = { bucket: bucketOf(ENV, 'u1'), envId: ENV, rowId, sendId, userId: 'u1' }
  await storePart(group, owner, fetchId, 0, Buffer.from('x'))
  await storeFile(group, owner, { bytes: 1, fetchId, key: 'k', type: null })
  const rows = await t.db.control`
    select from attachments where bucket >= 0 union all select from attachment_parts where bucket >= 0`
  assert.equal(rows.count, 0)
})

test('an empty file, which has no parts, is sent and deleted', async () => {
  await using t = await testDb()
  await using host = await fileHost()
  await using m = await mailing(t.db)
  const schedule = new Date(Date.now() + 86_400_000).toISOString()
  await m.send([{ filename: 'a', url: `${host.url}/bytes/0` }], { schedule })
  await m.settle()
  assert.equal((await m.counts()).files, 1)
  await t.db.control`delete from outbox where bucket >= 0`
  await t.db.control`update attachments set fetch_id = uuid_at(now() - interval '2 hours') where bucket >= 0`
  const group = t.db.groups[0]!
  assert.equal(await deleteOrphanedAttachments(group), 1)
  assert.equal(await deleteOrphanedAttachments(group), 0)
  assert.equal((await m.counts()).files, 0)
})

test('housekeeping deletes files of a deleted schedule', async () => {
  await using t = await testDb()
  await using host = await fileHost()
  await using m = await mailing(t.db)
  const schedule = new Date(Date.now() + 86_400_000).toISOString()
  await m.send([{ filename: 'a', url: `${host.url}/bytes/70000` }], { schedule })
  await m.settle()
  await t.db.control`delete from outbox where bucket >= 0`
  const group = t.db.groups[0]!
  assert.equal(await deleteOrphanedAttachments(group), 0, 'a fetch may be in progress')
  await t.db
    .control`update attachment_parts set fetch_id = uuid_at(now() - interval '2 hours') where bucket >= 0`
  assert.ok((await deleteOrphanedAttachments(group)) > 0)
  assert.deepEqual(await m.counts(), { dead: [], files: 0, pieces: 0, waiting: [] })
})

test('files stay until their email was sent, also those of a dead letter', async () => {
  await using t = await testDb()
  await using host = await fileHost()
  await using m = await mailing(t.db, {}, { only: ['FETCH'] })
  const { control } = t.db
  const { trackingId } = await m.send([{ filename: 'a', url: `${host.url}/bytes/70000` }])
  await m.queues.idle('FETCH')
  await control`update attachment_parts set fetch_id = ${LONG_AGO} where bucket >= 0`
  await control`update attachments set fetch_id = ${LONG_AGO} where bucket >= 0`
  const group = t.db.groups[0]!
  assert.equal(await deleteOrphanedAttachments(group), 0, 'its email waits')
  await control`
    insert into dead_letters (bucket, id, queue, claim_count, env_id, user_id, send_id, body, code)
    select bucket, id, queue, claim_count, env_id, user_id, send_id, body, '550' from outbox where bucket >= 0`
  await control`delete from outbox where bucket >= 0`
  assert.equal(await deleteOrphanedAttachments(group), 0, 'its email is a dead letter')

  // A digest has the tracking id of one send and names the other sends whose files it contains.
  const named = control.json({ sends: [trackingId] })
  await control`update dead_letters set body = body || ${named}, send_id = ${randomUUID()} where bucket >= 0`
  assert.equal(await deleteOrphanedAttachments(group), 0, 'a dead letter names its send')
  await control`
    insert into outbox (bucket, id, queue, env_id, user_id, send_id, body)
    select bucket, id, queue, env_id, user_id, send_id, body from dead_letters where bucket >= 0`
  await control`delete from dead_letters where bucket >= 0`
  assert.equal(await deleteOrphanedAttachments(group), 0, 'a pending email names its send')
  await control`delete from outbox where bucket >= 0`
  assert.ok((await deleteOrphanedAttachments(group)) > 0)
  assert.deepEqual(await m.counts(), { dead: [], files: 0, pieces: 0, waiting: [] })
})
