// A notification type as it is written: in a REST body and in a file.

import { z } from 'zod'

import { CHANNELS, DELIVERIES, type Channel } from '#protocol'

import { locale } from '../core/locale.ts'
import { boundedRecord } from '../http/bounded-record.ts'
import { hourOf, weekdayOf } from './cadence.ts'
import { templateSchemas, type TemplateContent } from './templates/content.ts'
import { INLINE } from './templates/inline-content.ts'
import { line, templateId, typeId } from './type-id.ts'
import { UNITS } from './type.ts'
import { readVariant, variantName } from './variant.ts'

/** UTF-16 units. */
const TITLE_LIMIT = 255

/** Names of channels in a send that brings its own content; templates may use them, too. */
const BY_NAME = new Map(CHANNELS.map(channel => [INLINE[channel] as string, channel]))

/** `EMAIL` and `email` are the same channel. */
export function channelOf(name: string): Channel | undefined {
  const upper = name.toUpperCase() as Channel
  return BY_NAME.get(name) ?? (CHANNELS.includes(upper) ? upper : undefined)
}

export interface TemplateEntry {
  readonly channel: Channel
  /** `''`: the default one. */
  readonly id: string
  readonly content: TemplateContent
  /** Its key in the text it came from, for whoever finds fault with it later. */
  readonly key: string
}

export const channel = z.string().transform((name, context): Channel => {
  const found = channelOf(name)
  if (found) return found
  context.addIssue({ code: 'custom', message: `Expected one of ${CHANNELS.join(', ')}.` })
  return z.NEVER
})

/** Most templates of a type in one request. */
const TEMPLATES = 1000

const named = boundedRecord(TEMPLATES, z.record(z.string(), z.unknown()))

/** By `EMAIL`; `EMAIL/short` for one that a send asks for by its id, `EMAIL@de` or `EMAIL/short@de` for readers of German. */
const templates = named.transform((map, context): TemplateEntry[] => {
  const entries: TemplateEntry[] = []
  const wrong = (message: string, path: PropertyKey[]): void => {
    context.addIssue({ code: 'custom', message, path })
  }
  for (const [key, value] of Object.entries(map)) {
    const [, name = '', end = ''] = /^([^/@]*)(.*)$/s.exec(key) ?? []
    const found = channelOf(name)
    const variant = readVariant(end.replace(/^\//, ''))
    const id = variantName(variant)
    const isWrong = end.startsWith('/')
      ? variant.id === '' || !templateId.safeParse(id).success
      : variant.id !== ''
    if (!found || isWrong) {
      wrong(
        `Expected a channel (${CHANNELS.join(', ')}), and after it / and an id, or @ and a language, or both.`,
        [key]
      )
    } else if (entries.some(entry => entry.channel === found && entry.id === id)) {
      wrong('This template stands here twice.', [key])
    } else {
      const read = templateSchemas[found].safeParse(value)
      if (read.success) entries.push({ channel: found, content: read.data, id, key })
      for (const issue of read.error?.issues ?? []) {
        if (issue.code !== 'unrecognized_keys') wrong(issue.message, [key, ...issue.path])
        else
          for (const name of issue.keys)
            wrong('Unknown field. Check its spelling, or remove it.', [key, ...issue.path, name])
      }
    }
  }
  return entries
})

/** `locale`: the form of the template for readers of a language; absent: the one for everybody else. */
export const templateQuery = z.object({ locale: locale.optional() })

const judged = (isGood: (said: unknown) => boolean, expected: string) => z.unknown().refine(isGood, expected)

/** When a digest comes (spec/wire.md 7.3); numbers may be texts. */
const enabled = z.looseObject({
  date: z.enum(['first', 'last'], 'Expected first or last.').optional(),
  day: judged(said => weekdayOf(said) !== undefined, 'Expected Monday to Sunday, or 0 to 7.').optional(),
  enabled: z.boolean('Expected true or false.').default(true),
  hour: judged(said => hourOf(said) !== undefined, 'Expected an hour from 0 to 23.').optional()
})

/** Deliveries of a channel by their names: more than there are is wrong. */
const deliveries = boundedRecord(
  20,
  z.object({ defaultDeliveryOption: z.enum(DELIVERIES).default('instant') }).catchall(z.unknown())
)

const deliveryOptions = deliveries.transform((given, context) => {
  const { defaultDeliveryOption, ...choices } = given
  const kept: Record<string, z.output<typeof enabled>> = {}
  for (const [name, value] of Object.entries(choices)) {
    const read = enabled.safeParse(value)
    if (!(DELIVERIES as readonly string[]).includes(name)) {
      context.addIssue({
        code: 'custom',
        message: `Expected one of ${DELIVERIES.join(', ')}.`,
        path: [name]
      })
    } else if (read.success) kept[name] = read.data
    else
      for (const { message, path } of read.error.issues) {
        const inside = path.length > 0
        context.addIssue({
          code: 'custom',
          message: inside ? message : 'Expected { enabled: true } or { enabled: false }.',
          path: [name, ...path]
        })
      }
  }
  return { defaultDeliveryOption, ...kept }
})

const whole = (max: number) => z.int('Expected a whole number.').min(1, 'Expected 1 or more.').max(max)

/** How many sends a throttle can remember of one user. */
const THROTTLE_LIMIT = 1000

const throttling = z
  .strictObject({
    max: whole(THROTTLE_LIMIT).describe('As many get through in any such stretch of time.'),
    period: whole(10_000).optional().describe('Its length, in units.'),
    unit: z
      .enum(UNITS, `Expected one of ${UNITS.join(', ')}.`)
      .optional()
      .describe('Of `period`.'),
    forever: z.boolean().optional().describe('true: as many ever, instead of in a stretch of time.'),
    scope: z
      .array(z.string())
      .max(10)
      .refine(
        names => names.toSorted().join() === 'notificationId,userId',
        'Expected ["userId", "notificationId"]: sends are counted for each user and type.'
      )
      .optional()
      .describe('Always each user and type.')
  })
  .check(({ value: { forever, period, unit }, issues, value }) => {
    if (forever) return
    for (const [key, given] of Object.entries({ period, unit })) {
      if (given !== undefined) continue
      const message = 'This field is required where forever is not true.'
      issues.push({ code: 'custom', input: value, message, path: [key] })
    }
  })

/** Seconds: a year. */
const DUPLICATE_LIMIT = 31_622_400
const deduplication = z.strictObject({
  duration: whole(DUPLICATE_LIMIT).describe('Seconds.')
})

/** Absent: `title` is the id, every channel with a template is used, and templates stay as they are. */
export const typeBody = z.strictObject({
  id: typeId.optional().describe('The same as in the path.'),
  title: line(TITLE_LIMIT)
    .min(1)
    .optional()
    .describe('What people read in their preferences. Absent: the id.'),
  channels: z
    .array(channel)
    .max(50)
    .transform(list => [...new Set(list)])
    .optional()
    .describe('By which it goes. Absent or empty: every channel that has a template.'),
  enabled: z.boolean().default(true).describe('false: nothing of this type is sent.'),
  adHoc: z.boolean().optional().describe('It was made by a send that brought its own content.'),
  retention: z
    .number()
    .positive()
    .max(3650)
    .optional()
    .describe('Days after which an in-app notification disappears. Absent: it stays.'),
  throttling: throttling.optional().describe('So many get through to a user; what is more is discarded.'),
  deduplication: deduplication.optional().describe('The same content reaches a user once in this time.'),
  options: z
    .partialRecord(z.enum(CHANNELS), deliveryOptions)
    .default({})
    .describe(
      'What users may choose by channel, and the default: `{ EMAIL: { defaultDeliveryOption: "instant", daily: { enabled: true, hour: 8 } } }`. Digests come at 9 where no hour is named; `weekly` takes a `day`, `monthly` a `date`: first or last.'
    ),
  templates: templates
    .optional()
    .describe(
      'By channel: `EMAIL`, `EMAIL/short` for a send that names the template `short`, `EMAIL@de` for readers of German. Absent: they stay as they are.'
    ),
  // What the answer to GET has and nobody can set.
  updatedAt: z.unknown().optional().describe('Ignored.')
})

export type TypeBody = z.output<typeof typeBody>
