// A phone is told once to close the push of a notification that was read, over fakes of APNs and Firebase; the send keeps its status.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import type { ChannelExplanation } from '../../../server/client/logs.ts'
import { bucketOf } from '../../../server/core/id.ts'
import { apnsPeer, KEY_ID, TEAM_ID, TOPIC } from '../../channels/push/apns-peer.ts'
import { fcmPeer } from '../../channels/push/fcm-peer.ts'
import { testDb } from '../../support/db.ts'
import { until as waitFor } from '../../support/process.ts'
import { openTestNode } from '../../support/test-node.ts'

const CLIENT = 'client_1'
const SECRET = 'a-secret-of-this-test'
const headers = {
  authorization: `Basic ${Buffer.from(`${CLIENT}:${SECRET}`).toString('base64')}`,
  'content-type': 'application/json'
}
const until = (holds: () => boolean | Promise<boolean>) => waitFor(holds, 'the pushes')
const NOW = new Date().toISOString()

async function open() {
  const t = await testDb()
  const [apns, fcm] = [await apnsPeer(), await fcmPeer()]
  const node = await openTestNode(t.db, {
    NOTIF_APNS_KEY: apns.key,
    NOTIF_APNS_KEY_ID: KEY_ID,
    NOTIF_APNS_TEAM_ID: TEAM_ID,
    NOTIF_APNS_TOPIC: TOPIC,
    NOTIF_APNS_URL: apns.url,
    NOTIF_CLIENT_ID: CLIENT,
    NOTIF_CLIENT_SECRET: SECRET,
    NOTIF_FCM_SERVICE_ACCOUNT: JSON.stringify(fcm.account),
    NOTIF_FCM_URL: fcm.url,
    NOTIF_SECURE_MODE: '0'
  })
  node.serve()
  const call = async (method: string, path: string, body?: object) => {
    const answer = await fetch(`${node.base}/${CLIENT}/${path}`, {
      headers,
      method,
      ...(body && { body: JSON.stringify(body) })
    })
    assert.ok(answer.ok, `${method} ${path}: ${answer.status}`)
    return (await answer.json()) as Record<string, unknown>
  }
  return {
    apns,
    call,
    fcm,
    identify: (tokens: Readonly<Record<string, 'APN' | 'FCM'>>) =>
      call('POST', 'users/u1', {
        pushTokens: Object.entries(tokens).map(([token, type]) => ({
          device: { device_id: token },
          token,
          type
        }))
      }),
    patch: (trackingId: string, marks: object) =>
      call('PATCH', 'users/u1/inbox', { trackingIds: [trackingId], ...marks }),
    async rows() {
      const bucket = bucketOf(CLIENT, 'u1')
      return t.db.control<{ key: string | null; leased: boolean; runAt: Date }[]>`
        select key, leased, run_at as "runAt" from outbox where bucket = ${bucket}`
    },
    send: async (more: object = {}) => {
      const { trackingId } = await call('POST', 'sender', {
        inapp: { title: 'Boarding' },
        mobile_push: { message: 'Gate 4', title: 'Boarding' },
        to: { id: 'u1' },
        type: 'boarding',
        ...more
      })
      return trackingId as string
    },
    async [Symbol.asyncDispose]() {
      await node[Symbol.asyncDispose]()
      await apns[Symbol.asyncDispose]()
      await fcm[Symbol.asyncDispose]()
      await t[Symbol.asyncDispose]()
    }
  }
}

const explain = async ({ call }: Awaited<ReturnType<typeof open>>, id: string) => {
  const { channels, status } = await call('GET', `logs/${id}/explain`)
  const push = (channels as ChannelExplanation[]).find(({ channel }) => channel === 'PUSH')!
  return { ...push, status }
}

test('closes the push on each phone once, without a trace in the status', async () => {
  await using s = await open()
  await s.identify({ 'android-1': 'FCM', 'phone-1': 'APN' })
  const options = { apn: { collapseId: 'gate', threadId: 'flight' } }
  const trackingId = await s.send({ options })
  await until(
    async () => s.apns.received.length + s.fcm.received.length === 2 && (await s.rows()).length === 0
  )
  await s.patch(trackingId, { seen: NOW })
  await s.patch(trackingId, { opened: NOW })
  await until(() => s.apns.received.length + s.fcm.received.length === 4)
  const { headers: sent, payload } = s.apns.received[1]!
  assert.deepEqual(payload, {
    aps: { 'content-available': 1, 'thread-id': 'flight' },
    notif: { close: trackingId }
  })
  assert.deepEqual(
    [sent['apns-push-type'], sent['apns-priority'], sent['apns-collapse-id']],
    ['background', '5', 'gate']
  )
  const { data, notification } = s.fcm.received[1]!
  assert.deepEqual([JSON.parse(data['notif']!), notification], [{ close: trackingId }, undefined])
  await until(async () => (await s.rows()).length === 0)

  const told = await explain(s, trackingId)
  assert.equal(told.status, 'success')
  assert.equal(told.deliveries.length, 2)
  assert.equal(told.explanation.match(/A phone was told to close it at/g)?.length, 2)
  assert.deepEqual(
    told.closings!.map(({ state }) => state),
    ['closed', 'closed']
  )
  // Unread and read again, and archived.
  for (const marks of [{ opened: null }, { opened: NOW }, { archived: NOW }]) await s.patch(trackingId, marks)
  assert.deepEqual([...(await s.rows())], [])
  assert.equal(s.apns.received.length, 2)
})

test('a phone that is told again later is explained, and the send keeps its status', async () => {
  await using s = await open()
  await s.identify({ 'phone-3': 'APN' })
  const trackingId = await s.send()
  await until(async () => s.apns.received.length === 1 && (await s.rows()).length === 0)
  s.apns.down = [500, 'InternalServerError']
  await s.patch(trackingId, { opened: NOW })
  await until(async () =>
    (await s.rows()).some(({ leased, runAt }) => !leased && runAt.getTime() > Date.now())
  )
  const told = await explain(s, trackingId)
  assert.deepEqual([told.status, told.deliveries.length], ['success', 1])
  const [closing] = told.closings!
  assert.deepEqual([closing!.state, closing!.at], ['waiting', undefined])
  assert.match(told.explanation, new RegExp(`A phone is told to close it at ${closing!.nextAt}, because`))
  const { logs } = await s.call('POST', 'logs/query', { statusFilter: ['success'] })
  assert.deepEqual(
    (logs as { trackingId: string }[]).map(log => log.trackingId),
    [trackingId]
  )
})

test('a phone that cannot be told costs nothing', async () => {
  await using s = await open()
  await s.identify({ 'phone-2': 'APN' })
  const trackingId = await s.send()
  await until(async () => s.apns.received.length === 1 && (await s.rows()).length === 0)
  s.apns.down = [400, 'PayloadEmpty']
  await s.patch(trackingId, { archived: NOW })
  await until(async () => (await s.rows()).length === 0)
  const told = await explain(s, trackingId)
  assert.equal(told.status, 'success')
  assert.match(told.explanation, /A phone could not be told to close it \(PayloadEmpty/)
  const { deadLetters } = await s.call('GET', 'dead-letters')
  assert.deepEqual(deadLetters ?? [], [])
})
