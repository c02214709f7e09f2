// Sends whose templates take long do not delay others: not the sends of their batch, and not those of other environments.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { openBatcher } from '../../server/send/accept/batcher.ts'
import type { Pending } from '../../server/send/accept/late-requests.ts'
import { openSendModule } from '../../server/send/send-module.ts'
import { asBackEnd, basic, CLIENT, OTHER, OTHER_SECRET, serve } from '../http/serve.ts'
import { PROVIDERS, testKit } from './test-context.ts'

interface Request {
  readonly placementHash: number
  readonly name: string
}
type PendingRequest = Pending<Request, void>

test('writes a batch without the request that is not prepared yet, and that one and its followers later', async () => {
  const slow = Promise.withResolvers<void>()
  const batches: string[][] = []
  const batcher = openBatcher<Request, void, PendingRequest>(
    { maxBatchSize: 100, maxWaiting: 100 },
    {
      prepare: async pending =>
        pending.map(async one => {
          if (one.request.name === 'slow') await slow.promise
          return one
        }),
      async write(batch) {
        batches.push(batch.map(({ request }) => request.name))
        for (const { resolve } of batch) resolve()
      }
    }
  )
  const add = (name: string, placementHash: number): Promise<void> => batcher.add({ name, placementHash })
  const late = [add('slow', 1), add('behind it', 1)]
  await add('other user', 2)
  late.push(add('much later', 1))
  await add('other user', 2)
  assert.deepEqual(batches, [['other user'], ['other user']])
  slow.resolve()
  await Promise.all(late)
  assert.deepEqual(batches.slice(2).flat(), ['slow', 'behind it', 'much later'])
})

const LOOP = '{% for a in (1..3) %}{{ a }}{% endfor %}'
const ENDLESS =
  '{% for a in (1..1000) %}{% for b in (1..1000) %}{% for c in (1..1000) %}{% endfor %}{% endfor %}{% endfor %}'

const open = () =>
  serve(db => openSendModule(testKit(db, { NOTIF_RENDER_TIMEOUT_MS: '1000' }), PROVIDERS).routes)

test('accepts the send of another environment before any that wait for a slow template', async () => {
  await using served = await open()
  const order: string[] = []
  const send = async (clientId: string, title: string): Promise<void> => {
    const response = await served.fetch(`/${clientId}/sender`, {
      body: JSON.stringify({ inapp: { title }, to: { id: `u${Math.random()}` }, type: 't' }),
      headers: clientId === OTHER ? basic(`${OTHER}:${OTHER_SECRET}`) : asBackEnd,
      method: 'POST'
    })
    order.push(`${clientId} ${response.status}`)
  }
  // Starts a thread for each, so that the order below does not depend on how long that takes.
  await Promise.all([send(CLIENT, ENDLESS), send(OTHER, LOOP)])
  order.length = 0
  await Promise.all([
    ...Array.from({ length: 3 }, () => send(CLIENT, ENDLESS)),
    send(OTHER, LOOP),
    send(OTHER, 'no loop')
  ])
  assert.deepEqual(order, [`${OTHER} 200`, `${OTHER} 200`, `${CLIENT} 202`, `${CLIENT} 202`, `${CLIENT} 202`])
})

test('does not accept a send whose client left while its template waited', async () => {
  await using served = await open()
  const send = (id: string, title: string, signal?: AbortSignal): Promise<Response> =>
    served.fetch(`/${CLIENT}/sender`, {
      body: JSON.stringify({ inapp: { title }, to: { id }, type: 't' }),
      headers: { ...asBackEnd, 'idempotency-key': id },
      method: 'POST',
      ...(signal && { signal })
    })
  const client = new AbortController()
  // More than there are threads for one environment.
  const running = Array.from({ length: 4 }, (_, i) => send(`running${i}`, ENDLESS))
  const waiting = send('waiting', LOOP, client.signal)
  await served.fetch(`/${CLIENT}/sender`, { headers: asBackEnd, method: 'POST' })
  client.abort()
  await assert.rejects(waiting, { name: 'AbortError' })
  for (const response of await Promise.all(running)) assert.equal(response.status, 202)
  const users = await served.db.control<{ id: string }[]>`
    select user_id as id from sends where bucket is not null order by user_id`
  assert.deepEqual(
    users.map(({ id }) => id),
    ['running0', 'running1', 'running2', 'running3']
  )
  assert.equal((await send('waiting', LOOP)).status, 200)
})
