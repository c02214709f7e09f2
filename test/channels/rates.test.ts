// Each channel's lane begins as much in a second as the setting of its provider says.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { channelLanes } from '../../server/channels/registry.ts'
import { openDb } from '../../server/db/sql.ts'
import { createLog } from '../../server/log.ts'
import { openOutbound } from '../../server/outbound/outbound.ts'
import { createRenderer } from '../../server/templates/render.ts'
import { openTypes } from '../../server/types/store.ts'
import { testConfig } from '../http/serve.ts'
import { SEAL } from '../support/seal.ts'

test('each setting is about its own lane, and 0 is any number', async () => {
  const config = testConfig({
    NOTIF_APNS_PER_SECOND: '1',
    NOTIF_CALL_PER_SECOND: '2',
    NOTIF_EMAIL_PER_SECOND: '3',
    NOTIF_FCM_PER_SECOND: '4',
    NOTIF_SLACK_PER_SECOND: '5',
    NOTIF_SMS_PER_SECOND: '6'
  })
  // Nothing is asked of it.
  const url = 'postgres://nobody@127.0.0.1:1/none'
  await using opened = new AsyncDisposableStack()
  const db = openDb({ connections: 2, listenUrl: url, url })
  opened.defer(() => db.close())
  const log = createLog('silent')
  const renderer = createRenderer(config)
  opened.defer(() => renderer.close())
  const lanes = channelLanes({
    clock: Date.now,
    config,
    db,
    log,
    outbound: openOutbound({ config }),
    renderer,
    seal: SEAL,
    types: openTypes(db, log, Date.now, config),
    vapid: { privateKey: '', publicKey: '' }
  })
  for (const lane of lanes) opened.defer(() => lane.close?.())
  assert.deepEqual(Object.fromEntries(lanes.map(({ name, perSecond }) => [name, perSecond])), {
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
