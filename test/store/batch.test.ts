// Which pending actions are overtaken by marks of other devices, or undone by newer actions.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import type { InboxPatch, Notif } from '#protocol'

import { createBatch, isOvertaken, isUndone, type ActionBatch } from '../../components/store/inbox/batch.ts'
import { createUpdate } from '../../components/store/inbox/optimistic.ts'

const [EARLY, MIDDLE, LATE] = ['10', '11', '12'].map(hour => `2026-05-01T${hour}:00:00.000Z`)

const createItem = (marks: Partial<Notif> = {}): Notif =>
  ({ date: EARLY, id: 'one', title: 'One', ...marks }) as Notif

const createTestBatch = (marks: Omit<InboxPatch, 'trackingIds'>): ActionBatch =>
  createBatch({ ...marks, trackingIds: ['one'] }, { resolve() {}, reject() {} }, Date.parse(MIDDLE!))

test('a mark that is newer than the action was set on another device', () => {
  const back = createTestBatch({ archived: null })
  assert.equal(
    isOvertaken(back, createItem({ archived: EARLY! })),
    false,
    'as it was, or from another tab since'
  )
  assert.equal(isOvertaken(back, createItem({ archived: LATE! })), true, 'archived again elsewhere')
  assert.equal(isOvertaken(back, createItem()), false, 'it is as they want it')
  const archive = createTestBatch({ archived: MIDDLE! })
  assert.equal(isOvertaken(archive, createItem({ archived: MIDDLE! })), false, 'the answer got lost')
  assert.equal(isOvertaken(archive, createItem({ archived: LATE! })), true, 'done elsewhere')
})

test('a newer opposite action undoes a pending one, and only if it undoes all of it', () => {
  const undone = (older: ActionBatch, newer: InboxPatch): boolean =>
    isUndone(older, createItem(), [createUpdate(newer)])
  const ids = ['one']
  const archive = createTestBatch({ archived: EARLY! })
  assert.equal(undone(archive, { archived: null, trackingIds: ids }), true)
  assert.equal(undone(archive, { archived: LATE!, trackingIds: ids }), false)
  assert.equal(undone(archive, { opened: LATE!, trackingIds: ids }), false)
  assert.equal(undone(archive, { archived: null, trackingIds: ['two'] }), false)
  assert.equal(undone(createTestBatch({ archived: null }), { archived: LATE!, trackingIds: 'ALL' }), true)
  // Clicks and replies are never undone.
  assert.equal(
    undone(createTestBatch({ clicked: EARLY!, opened: EARLY! }), { opened: null, trackingIds: ids }),
    false
  )
  assert.equal(
    undone(createTestBatch({ reply: { date: EARLY!, message: 'Yes' } }), {
      archived: null,
      trackingIds: ids
    }),
    false
  )
})
