// Sends that wait for the database are bounded by their bytes too: a few large ones fill the memory as well as many small ones.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { asBackEnd, CLIENT, startApp, type Answer, type TestApp } from '../security/app.ts'
import { until } from '../support/process.ts'

const BYTES = 100_000

const post = (app: TestApp, characters: number): Promise<Answer> =>
  app.ask(`/${CLIENT}/sender`, {
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
  'what would be too many bytes is told to come later, and one alone never',
  { timeout: 60_000 },
  async () => {
    await using app = await startApp({ NOTIF_QUEUE_BYTES: String(BYTES) })
    const { control } = app.db
    assert.equal((await post(app, 10)).status, 200)
    const { large } = await control.begin(async tx => {
      await tx`lock table sends in exclusive mode`
      const waiting = async (count: number): Promise<boolean> => {
        const found = await tx`select from pg_locks where not granted and relation = 'sends'::regclass`
        return found.count === count
      }
      const first = post(app, 2 * BYTES)
      await until(() => waiting(1), 'the large one waits for the lock')
      const refused = await post(app, 10)
      assert.equal(refused.status, 503, refused.text)
      assert.equal(refused.headers['retry-after'], '1')
      return { large: first }
    })
    assert.equal((await large).status, 200)
    assert.equal((await post(app, 10)).status, 200)
  }
)
