// Frames between siblings arrive whole and in order, however the chunks of their link are cut.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { encodeFrame, frameReader } from '../../../server/process/siblings/frames.ts'

const FRAMES: readonly (readonly [string, string])[] = [
  ['hello', '2'],
  ['inbox change', 'env\0user\n🚢\0{"version":1}'],
  ['rows returned', ''],
  ['inbox change', 'x'.repeat(5000)]
]

test('reads the same frames from chunks of any size', () => {
  const bytes = Buffer.concat(FRAMES.map(([topic, text]) => encodeFrame(topic, text)))
  for (const size of [1, 3, 4, 5, 17, 4096, bytes.length]) {
    const read: [string, string][] = []
    const add = frameReader((topic, text) => read.push([topic, text]))
    for (let i = 0; i < bytes.length; i += size) add(bytes.subarray(i, i + size))
    assert.deepEqual(read, FRAMES, `chunks of ${size} bytes`)
  }
})
