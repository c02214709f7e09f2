// What a row answers to: its buttons, its reply field and its progress.

import { TransportError } from '../../components/headless/index.ts'
import { world } from '../harbour.ts'
import { find, press, type as typeText } from './play.ts'
import { row, typeState } from './rows.ts'
import { ago, toItem, type Type } from './send.ts'
import { rows, storeWith, type Code, type Group } from './state.ts'
import { TYPES } from './types.ts'

const { approval, mention, report } = TYPES

/** The update of a back end. */
const update = (fields: object): Code => ({
  'Back end': `PATCH /{clientId}/users/amara/inbox/{trackingId}\n\n${JSON.stringify(fields, null, 2)}`
})

const outcome = (state: 'done' | 'failed' | 'pending', more: object = {}) => ({
  outcome: { actionId: 'approve', at: ago(0), state, ...more }
})

const progress = (progress: NonNullable<Type['inapp']['progress']>, title: string, body: string): Type => ({
  id: 'report',
  inapp: { body, icon: 'file', progress, title, tone: 2 }
})

/** Whoever sends a reply waits, or is refused. */
const replying = (reply?: () => Promise<never>) => {
  const items = [toItem(mention, { date: ago(4) })]
  return rows(reply ? storeWith({ patch: reply }, { items }) : world({ items }).store)
}

async function open(look: HTMLElement): Promise<void> {
  await press(look, '[data-act="reply"]')
  await find(look, 'textarea')
}

/** @param result - what is there once the reply is on its way, or was refused */
const send =
  (result: string) =>
  async (look: HTMLElement): Promise<void> => {
    await open(look)
    await typeText(look, 'textarea', 'Yes, by the weekend.')
    const field = await find(look, '.field')
    await new Promise(requestAnimationFrame)
    field.querySelector('button')!.click()
    await find(look, result)
  }

export const answerGroup: Group = {
  name: 'Buttons, replies, progress',
  states: [
    typeState('With buttons', approval),
    {
      code: {
        Page: "feed.addEventListener('notif-item-action', event => {\n  event.respondWith(approve(event.detail.item))\n})",
        'Back end': 'POST https://example.com/hooks\n\n{ "type": "item.action", "actionId": "approve" }'
      },
      look: () => row(approval, outcome('pending')),
      name: 'On its way'
    },
    {
      code: update({ outcome: { actionId: 'approve', text: 'You approved this' } }),
      look: () => row(approval, { ...outcome('done', { text: 'You approved this' }), opened: ago(0) }),
      name: 'Done'
    },
    {
      code: update({
        outcome: { actionId: 'approve', by: 'Mei Tanaka', text: 'Mei Tanaka approved this at 09:41' }
      }),
      look: () =>
        row(approval, {
          ...outcome('done', { by: 'Mei Tanaka', text: 'Mei Tanaka approved this at 09:41' }),
          opened: ago(0)
        }),
      name: 'By somebody else'
    },
    {
      code: update({ outcome: { actionId: 'approve', state: 'failed', text: 'The fares are locked.' } }),
      look: () => row(approval, outcome('failed', { text: 'The fares are locked.' })),
      name: 'Not done'
    },
    typeState('A dangerous one, and a link', TYPES.cancelled),
    typeState('A reply is wanted', mention),
    {
      code: { Keys: 'R      opens the field\nEnter  sends\nEsc    closes it' },
      look: () => replying(),
      name: 'Writing',
      play: open
    },
    {
      code: { Page: "store.reply(id, 'Yes, by the weekend.')" },
      look: () => replying(() => new Promise<never>(() => {})),
      name: 'Sending',
      play: send('.field .spin')
    },
    {
      code: {
        'Back end':
          'GET /{clientId}/users/amara/inbox\n\n{\n  "replies": [{\n    "message": "Yes, by the weekend."\n  }]\n}'
      },
      look: () =>
        row(mention, { opened: ago(0), replies: [{ date: ago(0), message: 'Yes, by the weekend.' }] }),
      name: 'Replied'
    },
    {
      code: { Page: 'store.reply(id, text).catch(error => {\n  error.status // 403\n})' },
      look: () => replying(async () => Promise.reject(new TransportError(403, 'refused'))),
      name: 'Not sent',
      play: send('.field[data-bad]')
    },
    typeState('Progress', report),
    {
      code: update({ progress: {} }),
      look: () =>
        row(progress({ state: 'running' }, 'Making the **September report**', 'Reading the log books.')),
      name: 'Progress of unknown length'
    },
    {
      code: update({
        progress: { state: 'failed', value: 0.62 },
        body: 'Page 125 has no picture.',
        notify: true
      }),
      look: () =>
        row(
          progress(
            { state: 'failed', value: 0.62 },
            'The **September report** stopped',
            'Page 125 has no picture.'
          )
        ),
      name: 'Progress that failed'
    },
    {
      code: update({
        progress: { state: 'done' },
        title: 'The September report is ready',
        url: '/reports/9'
      }),
      look: () => row(progress({ state: 'done' }, 'The **September report** is ready', '200 pages, 4 MB.')),
      name: 'Finished, and new again'
    }
  ]
}
