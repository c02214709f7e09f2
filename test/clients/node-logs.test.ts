// The hosted product's SDK for Node: its methods for the log.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'

import api from 'notificationapi-node-server-sdk'

import { MODES, SECURE, startTwoModes, type TwoModes } from './two-modes.ts'

let site: TwoModes
before(async () => {
  site = await startTwoModes()
})
after(() => site[Symbol.asyncDispose]())

for (const mode of MODES) {
  const use = (): ReturnType<TwoModes['ours']> => {
    api.init(mode.clientId, mode.secret, { baseURL: site.base })
    return site.ours(mode)
  }

  const HOUR = 3_600_000

  test(`queryLogs, ${mode.name}`, async () => {
    const ours = use()
    const { trackingId } = await ours.send({
      inapp: { title: 'x' },
      to: { id: 'logged' },
      type: 'logged'
    })
    const now = Date.now()
    for (const dateRangeFilter of [
      { endTime: now + HOUR, startTime: now - HOUR },
      { endTime: Math.round((now + HOUR) / 1000), startTime: Math.round((now - HOUR) / 1000) }
    ]) {
      const answer = await api.queryLogs({
        dateRangeFilter,
        notificationFilter: ['logged'],
        statusFilter: ['SUCCESS'],
        userFilter: ['logged']
      })
      const { logs } = answer.data as { logs: { trackingId: string }[] }
      assert.deepEqual(
        logs.map(log => log.trackingId),
        [trackingId]
      )
    }
    assert.equal((await api.queryLogs({})).status, 200)
  })
}

test('refuses the wrong secret', async t => {
  // The SDK prints every refusal before it throws it.
  t.mock.method(console, 'error', () => {})
  api.init(SECURE.clientId, 'wrong', { baseURL: site.base })
  for (const call of [() => api.queryLogs({})]) {
    await assert.rejects(call, { status: 401 }, call.toString())
  }
})
