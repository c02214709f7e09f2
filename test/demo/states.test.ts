// The code of the gallery's states is what a server accepts.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { answerGroup } from '../../demo/states/answers.ts'
import { preferencesGroup } from '../../demo/states/preferences.ts'
import { pictureGroup, rowGroup } from '../../demo/states/rows.ts'
import { windowGroup } from '../../demo/states/windows.ts'
import { itemUpdate } from '../../server/inbox/updates/item-update.ts'
import { parseTypeFile } from '../../server/types/parse-types-file.ts'
import { createRenderer } from '../../server/types/templates/render.ts'

const renderer = createRenderer({ renderTimeoutMs: 200 })
const states = [answerGroup, pictureGroup, preferencesGroup, rowGroup, windowGroup].flatMap(
  group => group.states
)

const types = states.flatMap(({ code, name }) =>
  (code['Type'] ?? '')
    .split('\n\n')
    .filter(Boolean)
    .map(text => [name, text] as const)
)

test('each type is a file of a type', () => {
  assert.ok(types.length > 10)
  for (const [name, text] of types) {
    const { faults, types } = parseTypeFile('type.yaml', text, renderer)
    assert.deepEqual([name, faults, types.length], [name, [], 1])
  }
})

test('each update is one', () => {
  const updates = states.flatMap(
    ({ code }) => /^PATCH [^\n]+\n\n(.+)/s.exec(code['Back end'] ?? '')?.[1] ?? []
  )
  assert.ok(updates.length > 5)
  for (const text of updates) {
    const { error } = itemUpdate.safeParse(JSON.parse(text))
    assert.deepEqual([text, error?.issues], [text, undefined])
  }
})
