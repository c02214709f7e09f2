// Element tests that would hang the runner fail by name.

import assert from 'node:assert/strict'
import { join } from 'node:path'
import test from 'node:test'

import { runElementFilesOnce } from './element-files.ts'
import { WHOLE } from './results.ts'

const fixture = (name: string): string => join(import.meta.dirname, `fixtures/${name}.fixture.ts`)

test('a file that says nothing is ended and named, an assertion that holds a node fails', async () => {
  process.env['TEST_SILENCE_MS'] = '3000'
  const { failures, passed } = await runElementFilesOnce([fixture('endless'), fixture('nodes')])
  const holds = 'This assertion holds a node: compare texts, numbers or booleans'
  const nodes = { where: 'test/suite/fixtures/nodes.fixture.ts', why: holds }
  assert.deepEqual(failures, [
    {
      test: WHOLE,
      where: 'test/suite/fixtures/endless.fixture.ts',
      why: 'said nothing for 3 s after the start of “never ends”'
    },
    { test: 'compares a node', ...nodes },
    { test: 'finds a node where there is none', ...nodes },
    { test: 'compares a list of objects that hold nodes', ...nodes }
  ])
  assert.equal(passed, 1)
})
