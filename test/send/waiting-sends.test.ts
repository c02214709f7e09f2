// Sends that wait for the database are bounded by their bytes: a few large ones fill the memory as well as many small ones.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { asBackEnd, CLIENT, serve, type Served } from '../http/serve.ts'
import { countLockWaits } from '../support/db.ts'
import { until } from '../support/process.ts'
import { PROVIDERS, testKit, testSender } from './test-context.ts'

const BYTES = 100_000

const post = (served: Served, characters: number): Promise<Response> =>
  served.fetch(`/${CLIENT}/sender`, {
    body: JSON.stringify({
      inapp: { title: 'x' },
      parameters: { text: 'x'.repeat(characters) },
      to: { id: 'u' },
      type: 't'
    }),
    headers: asBackEnd,
    method: 'POST'
  })

test(
  'answers 503 to sends beyond the limit of bytes, but never to a lone send',
  { timeout: 60_000 },
  async () => {
    await using served = await serve(
      db => testSender(testKit(db), PROVIDERS, { batch: { maxBytes: BYTES } }).routes
    )
    const { control, controlWork } = served.db
    assert.equal((await post(served, 10)).status, 200)
    const { large } = await control.begin(async tx => {
      await tx`lock table sends in exclusive mode`
      const first = post(served, 2 * BYTES)
      await until(async () => (await countLockWaits(controlWork)) === 1, 'the large one waits for the lock')
      const refused = await post(served, 10)
      assert.equal(refused.status, 503, await refused.text())
      assert.equal(refused.headers.get('retry-after'), '1')
      return { large: first }
    })
    assert.equal((await large).status, 200)
    assert.equal((await post(served, 10)).status, 200)
  }
)
