// Somebody answered a message: STOP and START are heard, other words get the answer that the message has ready.

import { placementHash, uuidv7, type UserKey } from '../../core/id.ts'
import type { Tx } from '../../db/db.ts'
import { transact } from '../../db/transact.ts'
import type { Context } from '../../process/context.ts'
import { enqueue } from '../../queue/outbox.sql.ts'
import type { QueueName } from '../../queue/queues.ts'
import { inlineContent, type InlineContent } from '../../send/send-request.ts'
import { pickTemplate } from '../../types/pick-template.ts'
import type { Types } from '../../types/type.ts'
import { changePreferences } from '../../users/preferences/preferences.sql.ts'
import type { Report } from './phone-provider.ts'
import {
  keepStop,
  lastMessage,
  recordAnswer,
  stillHas,
  usersWithNumber,
  type LastMessage
} from './sms-call.sql.ts'

type Inbound = Extract<Report, { kind: 'inbound' }>

/** As carriers and the CTIA have them, alone in a message. */
const STOP = new Set([
  'stop',
  'stopall',
  'unsubscribe',
  'cancel',
  'end',
  'quit',
  'optout',
  'revoke',
  'unsub',
  'arret'
])
const START = new Set(['start', 'unstop'])

/** Pure. */
export function wordOf(text: string): 'stop' | 'start' | undefined {
  const word = text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^\p{L}]/gu, '')
  return STOP.has(word) ? 'stop' : START.has(word) ? 'start' : undefined
}

/** Characters of an answer that are kept. */
const ANSWER = 1600

/** The template that has an answer ready; undefined: none has. */
async function replyOf(types: Types, envId: string, last: LastMessage): Promise<string | null | undefined> {
  const inline = inlineContent(last.body as InlineContent, 'SMS')
  if (inline) return inline['autoReply'] ? null : undefined
  const templates = (await types.get(envId, last.notificationId))?.templates.get('SMS')
  const templateId = String(last.body['templateId'] ?? '')
  const id = pickTemplate(templates, { templateId })
  return id !== undefined && templates?.get(id)?.['autoReply'] ? id : undefined
}

/** Everybody with this number is meant, and every send that names it. */
export async function heed(
  context: Pick<Context, 'clock' | 'db' | 'queues' | 'live' | 'types'>,
  said: Inbound
): Promise<void> {
  const word = wordOf(said.text)
  const wake = new Set<QueueName>()
  if (word) {
    for (const group of context.db.groups)
      await transact(group, tx => keepStop(tx, said.from, word === 'stop'))
  }
  for await (const user of usersWithNumber(context.db, said.from)) {
    const group = context.db.of(user.bucket)
    // Before the transaction: who waits for another connection in one may wait for all who do the same.
    const last = await lastMessage(group.sql, user)
    const template = last && !word ? await replyOf(context.types, user.envId, last) : undefined
    const replied = await transact(group, async tx => {
      if (!(await stillHas(tx, user, said.from))) return false
      if (word) await setChannel(tx, user, word === 'stop')
      return last !== undefined && answer(tx, user, { ...said, at: context.clock() }, last, template)
    })
    if (word) context.live.preferencesChanged(user)
    if (replied) wake.add('SMS')
  }
  context.queues.wake(wake)
}

const setChannel = (tx: Tx, user: UserKey, stop: boolean) =>
  changePreferences(tx, user, {
    choices: [{ channel: 'SMS', delivery: stop ? 'off' : null, notificationId: '', subNotificationId: '' }],
    kind: 'merge'
  })

/**
 * @param template - of the reply; undefined: there is none
 * @returns whether an answer of ours is on its way: one for each message, or two machines would talk for ever
 */
async function answer(
  tx: Tx,
  user: UserKey,
  { at, from, id: ref, text }: Inbound & { readonly at: number },
  last: LastMessage,
  template: string | null | undefined
): Promise<boolean> {
  const { bucket, envId, userId } = user
  const place = placementHash(envId, userId)
  const kept = { id: uuidv7(place, at), ref: ref.slice(0, 200), text: text.slice(0, ANSWER) }
  const first = await recordAnswer(tx, user, last, kept)
  if (!first || template === undefined) return false
  const { notificationId, sendId } = last
  const body = { notificationId, reply: true, template, to: from }
  await enqueue(tx, [{ body, bucket, envId, id: uuidv7(place, at), queue: 'SMS', sendId, userId }])
  return true
}
