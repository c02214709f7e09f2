// The settings of a provider limit the attempts per second and the simultaneous attempts of its queue.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { channelJobs } from '../../server/channels/registry.ts'
import { createLog } from '../../server/core/log.ts'
import { openDb } from '../../server/db/db.ts'
import { openOutbound } from '../../server/outbound/outbound.ts'
import type { DeliveryJob } from '../../server/queue/queue-job.ts'
import { createRenderer } from '../../server/types/templates/render.ts'
import { openTypes } from '../../server/types/types.sql.ts'
import { testConfig } from '../http/serve.ts'
import { TEST_ENCRYPTION } from '../support/test-encryption.ts'

/** Returns the jobs of these settings, by queue. */
async function readJobs<T>(
  env: Readonly<Record<string, string>>,
  say: (queue: DeliveryJob) => T
): Promise<Readonly<Record<string, T>>> {
  const config = testConfig(env)
  // The database is not used.
  const url = 'postgres://nobody@127.0.0.1:1/none'
  await using opened = new AsyncDisposableStack()
  const db = openDb({ connections: 2, listenUrl: url, url })
  opened.defer(() => db.close())
  const log = createLog('silent')
  const renderer = createRenderer(config)
  opened.defer(() => renderer.close())
  const queues = channelJobs({
    clock: Date.now,
    config,
    db,
    log,
    outbound: openOutbound({ config }),
    renderer,
    encryption: TEST_ENCRYPTION,
    types: openTypes(db, log),
    vapid: { privateKey: '', publicKey: '' }
  })
  for (const queue of queues) opened.defer(() => queue.close?.())
  return Object.fromEntries(queues.map(queue => [queue.queue, say(queue)]))
}

test('applies each rate to its own queue, and reads 0 as no limit', async () => {
  const rates = {
    NOTIF_APNS_PER_SECOND: '1',
    NOTIF_CALL_PER_SECOND: '2',
    NOTIF_EMAIL_PER_SECOND: '3',
    NOTIF_FCM_PER_SECOND: '4',
    NOTIF_SLACK_PER_SECOND: '5',
    NOTIF_SMS_PER_SECOND: '6'
  }
  assert.deepEqual(await readJobs(rates, ({ attemptsPerSecond }) => attemptsPerSecond), {
    APN: 1,
    CALL: 2,
    EMAIL: 3,
    FCM: 4,
    FETCH: undefined,
    SLACK: 5,
    SMS: 6,
    WEB_PUSH: 0
  })
})

test('applies each concurrency to its own queue, and the one of SMS to calls as well', async () => {
  const counts = {
    NOTIF_PUSH_CONCURRENCY: '7',
    NOTIF_SMS_CONNECTIONS: '5'
  }
  const { EMAIL: _, ...others } = await readJobs(counts, ({ concurrency }) => concurrency)
  assert.deepEqual(others, { APN: 7, CALL: 5, FCM: 7, FETCH: 10, SLACK: 10, SMS: 5, WEB_PUSH: 7 })
  const { EMAIL: _email, ...usual } = await readJobs({}, ({ concurrency }) => concurrency)
  assert.deepEqual(usual, { APN: 100, CALL: 10, FCM: 50, FETCH: 10, SLACK: 10, SMS: 10, WEB_PUSH: 50 })
})
