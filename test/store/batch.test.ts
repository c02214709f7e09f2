// Which actions that waited are still wanted: by what the server has now, and by what another page does.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import type { InboxPatch, Notif } from '#protocol'

import { createBatch, isOvertaken, isUndone, type ActionBatch } from '../../components/store/inbox/batch.ts'
import { createUpdate } from '../../components/store/inbox/optimistic.ts'

const [EARLY, MIDDLE, LATE] = ['10', '11', '12'].map(hour => `2026-05-01T${hour}:00:00.000Z`)

const item = (marks: Partial<Notif> = {}): Notif =>
  ({ date: EARLY, id: 'one', title: 'One', ...marks }) as Notif

const group = (marks: Omit<InboxPatch, 'trackingIds'>): ActionBatch =>
  createBatch({ ...marks, trackingIds: ['one'] }, { resolve() {}, reject() {} }, Date.parse(MIDDLE!))

test('a mark that is newer than the action was set on another device', () => {
  const back = group({ archived: null })
  assert.equal(isOvertaken(back, item({ archived: EARLY! })), false, 'as it was, or from another tab since')
  assert.equal(isOvertaken(back, item({ archived: LATE! })), true, 'archived again elsewhere')
  assert.equal(isOvertaken(back, item()), false, 'it is as they want it')
  const archive = group({ archived: MIDDLE! })
  assert.equal(isOvertaken(archive, item({ archived: MIDDLE! })), false, 'the answer got lost')
  assert.equal(isOvertaken(archive, item({ archived: LATE! })), true, 'done elsewhere')
})

test('a newer opposite action undoes a pending one, and only if it undoes all of it', () => {
  const undone = (older: ActionBatch, newer: InboxPatch): boolean =>
    isUndone(older, item(), [createUpdate(newer)])
  const ids = ['one']
  const archive = group({ archived: EARLY! })
  assert.equal(undone(archive, { archived: null, trackingIds: ids }), true)
  assert.equal(undone(archive, { archived: LATE!, trackingIds: ids }), false)
  assert.equal(undone(archive, { opened: LATE!, trackingIds: ids }), false)
  assert.equal(undone(archive, { archived: null, trackingIds: ['two'] }), false)
  assert.equal(undone(group({ archived: null }), { archived: LATE!, trackingIds: 'ALL' }), true)
  // A click stays, whatever becomes of the rest; so does what is said.
  assert.equal(undone(group({ clicked: EARLY!, opened: EARLY! }), { opened: null, trackingIds: ids }), false)
  assert.equal(
    undone(group({ reply: { date: EARLY!, message: 'Yes' } }), { archived: null, trackingIds: ids }),
    false
  )
})
