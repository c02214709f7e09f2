// Handles replies to text messages: STOP and START change the preference, other replies get the automatic answer of the message.

import { placementHash, uuidv7, type UserKey } from '../../core/id.ts'
import type { Tx } from '../../db/db.ts'
import { retryOnConflict, transact } from '../../db/transact.ts'
import type { Context } from '../../process/context.ts'
import { enqueue } from '../../queue/outbox.sql.ts'
import type { QueueName } from '../../queue/queues.ts'
import { inlineContent, type InlineContent } from '../../send/send-request.ts'
import { pickTemplate } from '../../types/pick-template.ts'
import type { Types } from '../../types/type.ts'
import { changePreferences } from '../../users/preferences/preferences.sql.ts'
import type { Report } from './phone-provider.ts'
import {
  recordStop,
  readLastMessage,
  recordReply,
  lockIfNumberUnchanged,
  usersWithNumber,
  type LastMessage
} from './sms-call.sql.ts'

type Inbound = Extract<Report, { kind: 'inbound' }>

/** Keywords of opting out, if they are the whole message: https://www.twilio.com/docs/messaging/tutorials/advanced-opt-out */
const STOP_KEYWORDS = new Set([
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
const START_KEYWORDS = new Set(['start', 'unstop'])

const MAX_REPLY_CHARACTERS = 1600
const MAX_REF_CHARACTERS = 200

/** Ignores case, accents, white space and punctuation. */
export function readKeyword(text: string): 'stop' | 'start' | undefined {
  const word = text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^\p{L}]/gu, '')
  return STOP_KEYWORDS.has(word) ? 'stop' : START_KEYWORDS.has(word) ? 'start' : undefined
}

/** @returns the template with the automatic answer, null for inline content, or undefined if the message has no answer */
async function findAutoReply(
  types: Types,
  envId: string,
  last: LastMessage
): Promise<string | null | undefined> {
  const inline = inlineContent(last.body as InlineContent, 'SMS')
  if (inline) return inline['autoReply'] ? null : undefined
  const templates = (await types.get(envId, last.notificationId))?.templates.get('SMS')
  const templateId = String(last.body['templateId'] ?? '')
  const id = pickTemplate(templates, { templateId })
  return id !== undefined && templates?.get(id)?.['autoReply'] ? id : undefined
}

/** Handles the reply for every user with this number, in all environments, and for sends that name the number themselves. */
export async function handleReply(
  context: Pick<Context, 'clock' | 'db' | 'queues' | 'live' | 'types'>,
  inbound: Inbound
): Promise<void> {
  const keyword = readKeyword(inbound.text)
  const queuesToWake = new Set<QueueName>()
  if (keyword) await retryOnConflict(() => recordStop(context.db, inbound.from, keyword === 'stop'))
  for await (const user of usersWithNumber(context.db, inbound.from)) {
    const group = context.db.of(user.bucket)
    // Read before the transaction: a transaction that waits for a second connection can deadlock the pool.
    const last = await readLastMessage(group.sql, user)
    const template = last && !keyword ? await findAutoReply(context.types, user.envId, last) : undefined
    const isAnswered = await transact(group, async tx => {
      if (!(await lockIfNumberUnchanged(tx, user, inbound.from))) return false
      if (keyword) await setSmsPreference(tx, user, keyword)
      return last !== undefined && storeReply(tx, user, { ...inbound, at: context.clock() }, last, template)
    })
    if (keyword) context.live.preferencesChanged(user)
    if (isAnswered) queuesToWake.add('SMS')
  }
  context.queues.wake(queuesToWake)
}

const setSmsPreference = (tx: Tx, user: UserKey, keyword: 'stop' | 'start') =>
  changePreferences(
    tx,
    user,
    {
      choices: [
        {
          channel: 'SMS',
          delivery: keyword === 'stop' ? 'off' : null,
          notificationId: '',
          subNotificationId: ''
        }
      ],
      kind: 'merge'
    },
    'network'
  )

/**
 * Stores the reply and queues the automatic answer, once per message. Otherwise two machines would answer each other endlessly.
 *
 * @param template - of the answer; undefined if there is none
 * @returns whether an answer was queued
 */
async function storeReply(
  tx: Tx,
  user: UserKey,
  { at, from, id: ref, text }: Inbound & { readonly at: number },
  last: LastMessage,
  template: string | null | undefined
): Promise<boolean> {
  const { bucket, envId, userId } = user
  const hash = placementHash(envId, userId)
  const reply = {
    id: uuidv7(hash, at),
    ref: ref.slice(0, MAX_REF_CHARACTERS),
    text: text.slice(0, MAX_REPLY_CHARACTERS)
  }
  const isFirst = await recordReply(tx, user, last, reply)
  if (!isFirst || template === undefined) return false
  const { notificationId, sendId } = last
  const body = { notificationId, reply: true, template, to: from }
  await enqueue(tx, [{ body, bucket, envId, id: uuidv7(hash, at), queue: 'SMS', sendId, userId }])
  return true
}
