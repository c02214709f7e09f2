// The titles that users read of types and sub-notifications without a title of their own.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { shownTitle } from '../../server/types/shown-title.ts'

test('shows the words of an id where there is no title', () => {
  const words = {
    'billing.invoice-paid': 'Billing invoice paid',
    'crew/invite': 'Crew invite',
    'line-12': 'Line 12',
    'project 7': 'Project 7',
    API_KEY_expired: 'API KEY expired',
    SYSTEM_ALERT: 'System alert',
    newComment: 'New comment',
    new_comment: 'New comment',
    über_uns: 'Über uns'
  }
  for (const [id, expected] of Object.entries(words)) {
    assert.equal(shownTitle(id, id), expected)
    assert.equal(shownTitle(id, undefined), expected)
  }
  assert.equal(shownTitle('new_comment', 'Comments'), 'Comments')
  // Nothing else would be left of it.
  assert.equal(shownTitle('--', '--'), '--')
})
