// The line that takes an action back.

import { html } from 'lit'

import { TransportError } from '../../components/headless/index.ts'
import type { NotifStore } from '../../components/index.ts'
import { harbourSettings } from '../harbour-preferences.ts'
import { world } from '../harbour.ts'
import { find, holdLine, press } from './play.ts'
import { ago, toItem } from './send.ts'
import { feed, rows, storeWith, type Group, type State } from './state.ts'
import { TYPES } from './types.ts'

const items = [
  toItem(TYPES.timetable, { date: ago(60) }),
  toItem(TYPES.invitation, { date: ago(24) }),
  toItem(TYPES.map, { date: ago(22) })
]

/** Only what its user may not do. */
const refusing = (): NotifStore =>
  storeWith({ patch: async () => Promise.reject(new TransportError(403, 'refused')) }, { items })

const store = (): NotifStore => world({ items, preferences: harbourSettings() }).store

/** Presses a button of the row of the map, and holds the line. */
const acting =
  (...selectors: readonly string[]): NonNullable<State['play']> =>
  async look => {
    for (const selector of selectors) await press(look, selector)
    await holdLine(look)
  }

/** An inbox with its heading, whose buttons act on all. */
const panel = () =>
  html`<div class="panel">${feed(store(), { infiniteScrollHeight: 220, markOpened: 'never' })}</div>`

export const undoGroup: Group = {
  name: 'Undo',
  states: [
    {
      code: { Page: 'store.markAsArchived([id])\n\n// within five seconds, or Z\nstore.undo()' },
      look: () => rows(store()),
      name: 'Archived, to be undone',
      play: acting('#map [data-act="archive"]')
    },
    {
      code: {
        Page: 'store.snooze([id], tomorrow)\nstore.$undoable.get()\n// { action: "snooze", count: 1, until: … }'
      },
      look: () => rows(store()),
      name: 'Snoozed, to be undone',
      play: acting('#map [data-act="snooze"]', '.menu [role=menuitem]')
    },
    {
      code: {
        Page: 'store.markAsArchived([id]).catch(error => {\n  // the row is back\n  error.status // 403\n})'
      },
      look: () => rows(refusing()),
      name: 'Not archived',
      play: async look => {
        await press(look, '#map [data-act="archive"]')
        await find(look, '.undo-line[data-danger]')
      }
    },
    {
      code: { Page: "store.markAsArchived('ALL')\n\n// exactly these come back\nstore.undo()" },
      look: panel,
      name: 'All archived',
      play: acting('[data-act="menu"]', '.menu [role=menuitem]'),
      size: 'half'
    },
    {
      code: { Page: 'store.markAsOpened()\nstore.undo()' },
      look: panel,
      name: 'All marked as read',
      play: acting('.tools .icon'),
      size: 'half'
    }
  ]
}
