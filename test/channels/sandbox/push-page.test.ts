// Push messages on the sandbox page: complete, with their channel, and escaped.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import type { Delivery } from '../../../server/channels/channel.ts'
import {
  openApnSandbox,
  openFcmSandbox,
  openWebPushSandbox
} from '../../../server/channels/sandbox/push-provider.ts'
import { sandboxRoutes } from '../../../server/channels/sandbox/route.ts'
import { sha256 } from '../../../server/core/hash.ts'
import { bucketOf, placementHash, uuidv7 } from '../../../server/core/id.ts'
import { openAudit } from '../../../server/http/audit/audit.ts'
import { ADMIN_TOKEN, CLIENT, serve } from '../../http/serve.ts'
import { waiting } from '../queued-delivery.ts'

test('shows each kind of push with the payload for the device', async () => {
  await using server = await serve(db =>
    sandboxRoutes({
      adminTokenHash: sha256(ADMIN_TOKEN),
      audit: openAudit(db, Date.now),
      clientId: CLIENT,
      db,
      isOpenHost: () => true,
      maxPageBytes: 8_000_000
    })
  )
  const evil = '<script>alert(1)</script>'
  const call = { number: 1, signal: AbortSignal.timeout(5000) }
  const delivery = (to: string): Delivery => {
    const id = uuidv7(placementHash(CLIENT, 'mei'))
    const body = { notificationId: 'hello', template: null, to }
    return { body, bucket: bucketOf(CLIENT, 'mei'), envId: CLIENT, id, send: {}, sendId: id, userId: 'mei' }
  }
  const deliveries = [delivery('apple'), delivery('google'), delivery('https://push.example/1')]
  for (const one of deliveries) await waiting(server.db, 'APN', one)
  await openApnSandbox(server.db).send(
    {
      environment: 'sandbox',
      headers: { 'apns-push-type': 'alert' },
      payload: '{"aps":{"badge":7}}',
      text: evil,
      title: 'To Apple',
      token: 'apple'
    },
    deliveries[0]!,
    call
  )
  await openFcmSandbox(server.db).send(
    { body: { token: 'google' }, text: evil, title: 'To Google', token: 'google' },
    deliveries[1]!,
    call
  )
  const content = { message: evil, tag: 't', title: 'To a browser', url: '/trips/4' }
  await openWebPushSandbox(server.db).send(
    {
      content,
      endpoint: deliveries[2]!.body.to,
      keys: { auth: 'a', p256dh: 'p' },
      payload: JSON.stringify(content)
    },
    deliveries[2]!,
    call
  )
  const channelTexts = [/APNs, sandbox/, /push, FCM/, /web push/]
  for (const [i, { id }] of deliveries.entries()) {
    for (const view of ['html', 'text', 'headers', 'raw']) {
      const page = await server.fetch(`/sandbox?m=${id}&view=${view}`)
      const text = await page.text()
      assert.equal(page.status, 200, text)
      assert.match(text, channelTexts[i]!)
      assert.doesNotMatch(text, /<script>/)
    }
  }
  const raw = await (await server.fetch(`/sandbox?m=${deliveries[0]!.id}&view=raw`)).text()
  assert.match(raw, /badge\S{1,6}: 7/)
  assert.match(
    await (await server.fetch(`/sandbox?m=${deliveries[0]!.id}&view=headers`)).text(),
    /apns-push-type/
  )
  assert.match(await (await server.fetch(`/sandbox?m=${deliveries[2]!.id}`)).text(), /trips\/4/)
})
