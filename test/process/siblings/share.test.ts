// What settings allow a machine is divided among its processes, and each can work.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { readConfig } from '../../../server/config/config.ts'
import { shareOf } from '../../../server/process/siblings/share.ts'

const read = (env: Record<string, string>) => {
  const result = readConfig(env)
  assert.ok('config' in result)
  return result.config
}

test('divides connections and rates, with at least one connection of each kind', () => {
  const config = read({
    NOTIF_CONNECTIONS_LIMIT: '900',
    NOTIF_DB_CONNECTIONS: '30',
    NOTIF_EMAIL_CONNECTIONS: '2',
    NOTIF_SLACK_PER_SECOND: '1'
  })
  const share = shareOf(config, 3)
  assert.deepEqual(
    [share.connections, share.emailConnections, share.connectionsLimit, share.slackPerSecond],
    [10, 1, 300, 1 / 3]
  )
  // 0 has its own meaning: no limit.
  assert.deepEqual([share.smsPerSecond, shareOf(read({}), 3).connectionsLimit], [0, 0])
  assert.equal(shareOf(config, 100).connections, 2)
  assert.equal(shareOf(config, 1), config)
})

test('NOTIF_PROCESSES is a number or auto', () => {
  assert.equal(read({ NOTIF_PROCESSES: '6' }).processes, 6)
  assert.equal(read({}).processes, 1)
  assert.ok(read({ NOTIF_PROCESSES: 'auto' }).processes >= 1)
  for (const wrong of ['0', '-1', 'all', '1.5']) {
    const result = readConfig({ NOTIF_PROCESSES: wrong })
    assert.ok('problems' in result && result.problems[0]?.env === 'NOTIF_PROCESSES', wrong)
  }
})
