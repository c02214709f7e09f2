// The line that takes an action back.

import { html } from 'lit'

import { TransportError } from '../../components/headless/index.ts'
import type { NotifStore } from '../../components/index.ts'
import { world } from '../harbour.ts'
import { settingsWithCrew } from './crew.ts'
import { choose, find, holdLine, press, pressTool } from './play.ts'
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

const store = (): NotifStore => world({ items, preferences: settingsWithCrew() }).store

type Step = (look: HTMLElement) => Promise<void>

const chooseItem =
  (index: number): Step =>
  look =>
    choose(look, index)

/** Does what leads to a line, and holds the line. */
const acting =
  (...steps: readonly Step[]): NonNullable<State['play']> =>
  async look => {
    for (const step of steps) await step(look)
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
      play: acting(look => pressTool(look, 'map', 'archive'))
    },
    {
      code: {
        Page: 'store.snooze([id], tomorrow)\nstore.$undoable.get()\n// { action: "snooze", count: 1, until: … }'
      },
      look: () => rows(store()),
      name: 'Snoozed, to be undone',
      play: acting(look => pressTool(look, 'map', 'snooze'), chooseItem(0))
    },
    {
      code: {
        Page: "store.mute('invitation', [id])\n\n// the row and the switches as they were\nstore.undo()"
      },
      look: () => rows(store()),
      name: 'A type turned off',
      play: acting(look => pressTool(look, 'invitation', 'fewer'), chooseItem(0))
    },
    {
      code: { Page: "store.digest('invitation', [id])\nstore.undo()" },
      look: () => rows(store()),
      name: 'Once a day from now on',
      play: acting(look => pressTool(look, 'invitation', 'fewer'), chooseItem(1))
    },
    {
      code: {
        Page: 'store.markAsArchived([id]).catch(error => {\n  // the row is back\n  error.status // 403\n})'
      },
      look: () => rows(refusing()),
      name: 'Not archived',
      play: async look => {
        await pressTool(look, 'map', 'archive')
        await find(look, '.undo-line[data-danger]')
      }
    },
    {
      code: { Page: "store.markAsArchived('ALL')\n\n// exactly these come back\nstore.undo()" },
      look: panel,
      name: 'All archived',
      play: acting(look => press(look, '[data-act="menu"]'), chooseItem(0)),
      size: 'half'
    },
    {
      code: { Page: 'store.markAsOpened()\nstore.undo()' },
      look: panel,
      name: 'All marked as read',
      play: acting(look => press(look, '.tools .icon')),
      size: 'half'
    }
  ]
}
