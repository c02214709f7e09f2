// Files are read part by part: a slow reader slows the server down, and only the buffers of the network fill.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'

import { openOutbound } from '../../../server/outbound/outbound.ts'
import { testConfig } from '../../http/serve.ts'
import { fileHost } from './host.ts'

/** Most bytes of one connection in the kernel, in both directions. */
const KERNEL = 16 * 1024 * 1024

test('64 MiB arrive part by part', async () => {
  await using host = await fileHost()
  const outbound = openOutbound({ config: testConfig({ NOTIF_ALLOW_PRIVATE: '127.0.0.1' }) })
  let ahead = 0
  let atOnce = 0
  let largest = 0
  let most = 0
  let taken = 0
  const result = await outbound.request(`${host.url}/drip/1024`, {
    budget: { left: 65 * 1024 * 1024 },
    async onPart(piece) {
      atOnce += 1
      most = Math.max(most, atOnce)
      largest = Math.max(largest, piece.length)
      ahead = Math.max(ahead, host.written() - taken)
      await turn()
      taken += piece.length
      atOnce -= 1
    }
  })
  assert.ok(result.ok)
  assert.deepEqual([taken, most, result.body.length], [1024 * 65_536, 1, 0])
  assert.ok(largest <= 262_144, String(largest))
  assert.ok(ahead > 0 && ahead < KERNEL, `${ahead} bytes were under way`)
})

test('an error of the reader ends the request and is thrown', async () => {
  await using host = await fileHost()
  const outbound = openOutbound({ config: testConfig({ NOTIF_ALLOW_PRIVATE: '127.0.0.1' }) })
  const full = new Error('full')
  const request = outbound.request(`${host.url}/bytes/10`, { onPart: () => Promise.reject(full) })
  await assert.rejects(request, full)
})
