// The API reference of the explanation of a send, channel by channel.

import { z } from 'zod'

import { MAX_LOGGED_SUBJECT_BYTES, MAX_LOGGED_TEXT_BYTES } from '../channels/logged-content.ts'
import { instant } from '../http/common-schemas.ts'

const state = z.enum(['sent', 'waiting', 'held', 'scheduled', 'failed', 'discarded', 'unknown'])
const explanation = z.string().meta({ description: 'The same facts as a sentence.' })

const attempt = z.object({
  at: instant,
  attempt: z.int(),
  outcome: z.string(),
  code: z.string().optional(),
  detail: z.string().optional(),
  reference: z.string().optional().meta({ description: 'Id that the provider gave the message.' }),
  tookMs: z.int().optional(),
  explanation
})

const content = z
  .object({ subject: z.string().optional(), text: z.string() })
  .optional()
  .meta({
    description: `What the message said, as plain text. A text is cut to ${MAX_LOGGED_TEXT_BYTES} bytes of UTF-8, a subject to ${MAX_LOGGED_SUBJECT_BYTES}.`
  })

const delivery = z.object({
  id: z.string(),
  state,
  to: z.string().optional().meta({
    description: 'Email address, number, Slack channel or shortened device token.'
  }),
  content,
  nextAt: instant.optional().meta({ description: 'Time of the next attempt.' }),
  attemptsLeft: z.int().optional(),
  code: z.string().optional(),
  deadLetter: z
    .literal(true)
    .optional()
    .meta({ description: 'Present if the delivery is a dead letter, which can be redriven or dropped.' }),
  attempts: z.array(attempt),
  explanation
})

const receipt = z
  .object({
    at: instant,
    outcome: z.enum(['delivered', 'undelivered', 'delayed', 'answered']),
    code: z.string().optional(),
    detail: z.string().optional(),
    explanation
  })
  .meta({
    description:
      'What the network reported after the provider accepted the message, or what the user replied.'
  })

const updates = z
  .object({
    count: z.int(),
    at: instant.meta({ description: 'Of the last update.' }),
    fields: z.array(z.string()).meta({ description: 'Of the last update.' }),
    newAt: instant.optional().meta({ description: 'Of the last update that made the notification new.' }),
    explanation
  })
  .optional()
  .meta({ description: 'Of an in-app notification that the back end has updated in its place.' })

const webhook = z
  .object({
    id: z.string().meta({ description: '`webhook-id` of its requests.' }),
    event: z.string().optional().meta({ description: '`item.action` or `item.reply`.' }),
    actionId: z.string().optional().meta({ description: 'The button.' }),
    state,
    at: instant.meta({ description: 'When the user acted.' }),
    nextAt: instant.optional().meta({ description: 'Time of the next attempt.' }),
    attemptsLeft: z.int().optional(),
    code: z.string().optional(),
    deadLetter: z.literal(true).optional(),
    attempts: z.array(attempt),
    explanation
  })
  .meta({
    description: 'What a button or a reply of an in-app notification sent to the webhook of the environment.'
  })

const closing = z
  .object({
    id: z.string(),
    state: z.enum(['closed', 'waiting', 'failed']),
    at: instant.optional().meta({ description: 'Time of the last attempt.' }),
    nextAt: instant.optional().meta({ description: 'Time of the next attempt.' }),
    code: z.string().optional(),
    explanation
  })
  .meta({
    description: 'A phone that is told to close the push, because the in-app notification was read.'
  })

export const channel = z.object({
  channel: z.string(),
  state,
  decision: z.string().meta({ description: 'Rule that decided about the channel.' }),
  explanation,
  deliveries: z.array(delivery),
  content: content.meta({ description: 'What an in-app notification says, as long as it is in the inbox.' }),
  seenAt: instant.optional().meta({ description: 'When the user saw the in-app notification.' }),
  openedAt: instant.optional(),
  clickedAt: instant.optional(),
  receipts: z.array(receipt).optional(),
  updates,
  webhooks: z.array(webhook).optional(),
  closings: z.array(closing).optional()
})
