// One row: new, seen, unread, read, archived, snoozed, and its pictures.

import { html, type TemplateResult } from 'lit'

import { TONES, type Notif } from '../../components/protocol/index.ts'
import { world } from '../harbour.ts'
import { chooseTab, pressFor } from './play.ts'
import { ago, ahead, toItem, toTypeFile, type Type } from './send.ts'
import { feed, rows, type Group, type State } from './state.ts'
import { TYPES } from './types.ts'

const HOUR = 60
const DAY = 24 * HOUR

/** One row of a type. @param more - when it came and what its user did with it */
export const row = (type: Type, more: Partial<Notif> = {}): TemplateResult =>
  rows(world({ items: [toItem(type, { date: ago(22), ...more })] }).store)

/** A state whose code is its type. */
export const typeState = (name: string, type: Type, more: Partial<Notif> = {}): State => ({
  code: { Type: toTypeFile(type) },
  look: () => row(type, more),
  name
})

const read = (type: Type, minutes: number): ReturnType<typeof toItem> =>
  toItem(type, { date: ago(minutes), opened: ago(1), seen: ago(2) })

/** An inbox with a heading and tabs. */
const panel = (items: readonly ReturnType<typeof toItem>[]): TemplateResult =>
  html`<div class="panel">${feed(world({ items }).store, { infiniteScrollHeight: 236 })}</div>`

export const rowGroup: Group = {
  name: 'Rows',
  states: [
    {
      code: { Type: toTypeFile(TYPES.map), Item: '{ "seen": undefined, "opened": undefined }' },
      look: () =>
        html`<div class="rows has-days">
          ${feed(world({ items: [read(TYPES.invoice, 9 * HOUR), toItem(TYPES.map, { date: ago(22) })] }).store, { header: 'none' })}
        </div>`,
      name: 'New since the last look'
    },
    {
      code: {
        Page: '// half of the row was in sight for a second\nstore.markAsSeen([id])\n\n// the badge counts it no more, the dot stays'
      },
      look: () => row(TYPES.map, { seen: ago(1) }),
      name: 'Seen, and still unread'
    },
    {
      code: {
        Page: '// followed, answered or marked\nstore.markAsOpened([id])\n\nstore.markAsUnopened([id])'
      },
      look: () => row(TYPES.map, { opened: ago(1), seen: ago(1) }),
      name: 'Read'
    },
    {
      code: {
        Style:
          'notif-feed::part(actions) {\n  opacity: 1;\n}\nnotif-feed::part(time) {\n  visibility: hidden;\n}'
      },
      look: () => html`<div class="has-tools">${row(TYPES.map)}</div>`,
      name: 'Pointed at'
    },
    {
      code: {
        Keys: '↓ ↑  moves to the row\nE    archives it',
        Style: 'notif-feed {\n  --notif-focus: rebeccapurple;\n}'
      },
      look: () => html`<div class="has-tools has-focus">${row(TYPES.map)}</div>`,
      name: 'Focused'
    },
    {
      code: { Item: '{\n  "snoozedAt": "2026-11-22T18:00:00Z",\n  "snoozedUntil": undefined\n}' },
      look: () => row(TYPES.invoice, { date: ago(0), snoozedAt: ago(DAY) }),
      name: 'Snoozed, and back'
    },
    typeState('A letter for a picture', TYPES.photos, { opened: ago(1) }),
    typeState('An icon of the type', TYPES.berth, { opened: ago(1) }),
    {
      code: { Page: 'store.markAsArchived([id])\n\n// back in its place\nstore.markAsUnarchived([id])' },
      look: () =>
        panel([
          toItem(TYPES.invitation, { archived: ago(3), date: ago(3 * HOUR), opened: ago(3) }),
          toItem(TYPES.invoice, { archived: ago(2), date: ago(DAY), opened: ago(2) })
        ]),
      name: 'Archived',
      play: look => pressFor(look, '[data-tab="archived"]', '[data-tab="archived"][aria-pressed="true"]'),
      size: 'half'
    },
    {
      code: {
        Element: '<notif-feed tabs=\'[{\n  "label": "Mentions",\n  "types": ["mention"]\n}]\'></notif-feed>',
        Page: 'const tomorrow = new Date("2026-11-24T08:00")\nstore.snooze([id], tomorrow)\nstore.unsnooze([id])'
      },
      look: () =>
        panel([
          toItem(TYPES.invitation, { opened: ago(3), snoozedAt: ago(2), snoozedUntil: ahead(16 * HOUR) }),
          toItem(TYPES.invoice, { opened: ago(3), snoozedAt: ago(1), snoozedUntil: ahead(3 * DAY) })
        ]),
      name: 'Snoozed',
      play: look => chooseTab(look, -1, 'article'),
      size: 'half'
    }
  ]
}

const square: Type = {
  id: 'pier',
  inapp: {
    body: 'All three gates.',
    image: '/img/pier.svg',
    imageShape: 'square',
    title: '**Old Pier** is open'
  }
}
const { actions: _actions, ...inapp } = TYPES.approval.inapp
const plain: Type = { id: 'approval', inapp }
const tones = TONES.map((tone): Type => ({
  id: `berth-${tone}`,
  inapp: { icon: 'ship', title: `**Berth ${tone}** is free`, tone }
}))

export const pictureGroup: Group = {
  name: 'Pictures',
  states: [
    typeState('A round picture', TYPES.invitation),
    typeState('A square picture', square),
    typeState('An icon on a picture', plain),
    typeState('Two people', TYPES.shift),
    typeState('Several people', TYPES.timetable),
    {
      code: { Type: tones.slice(0, 2).map(toTypeFile).join('\n\n') },
      look: () =>
        rows(world({ items: tones.map(type => toItem(type, { opened: ago(1) })) }).store, { size: 'small' }),
      name: 'Six tones'
    }
  ]
}
