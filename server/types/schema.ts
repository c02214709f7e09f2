// Schemas of a notification type, for REST bodies and files.

import { z } from 'zod'

import { CHANNELS, DELIVERIES, type Channel } from '#protocol'

import { locale } from '../core/locale.ts'
import { boundedRecord } from '../http/common-schemas.ts'
import { parseHour, parseWeekday } from './cadence.ts'
import { checkConditions, escalateBody } from './escalation.ts'
import { templateSchemas, CONTENT_FIELDS, type TemplateContent } from './templates/content.ts'
import { appearance } from './templates/in-app-extras.ts'
import { lineText, tags, templateId, typeId } from './type-id.ts'
import { PERIOD_UNITS } from './type.ts'
import { readVariant, variantName } from './variant.ts'

/** In UTF-16 code units. */
export const MAX_TITLE_LENGTH = 255
const MAX_DESCRIPTION_LENGTH = 500

/** Sends name the content of a channel like this; templates may do so too. */
const CHANNELS_BY_FIELD = new Map(CHANNELS.map(channel => [CONTENT_FIELDS[channel] as string, channel]))

/** Accepts names in any case, such as `EMAIL` and `email`. */
export function parseChannel(name: string): Channel | undefined {
  const upper = name.toUpperCase() as Channel
  return CHANNELS_BY_FIELD.get(name) ?? (CHANNELS.includes(upper) ? upper : undefined)
}

export interface TemplateEntry {
  readonly channel: Channel
  /** `''` for the default template. */
  readonly id: string
  readonly content: TemplateContent
  /** Key in the body or file, for the pointers of later faults. */
  readonly key: string
}

export const channel = z.string().transform((name, context): Channel => {
  const found = parseChannel(name)
  if (found) return found
  context.addIssue({ code: 'custom', message: `Expected one of ${CHANNELS.join(', ')}.` })
  return z.NEVER
})

const MAX_TEMPLATES = 1000

const templateMap = boundedRecord(MAX_TEMPLATES, z.record(z.string(), z.unknown()))

/** Keys: `EMAIL`, `EMAIL/short` for a template with an id, `EMAIL@de` or `EMAIL/short@de` for a template in German. */
const templates = templateMap.transform((map, context): TemplateEntry[] => {
  const entries: TemplateEntry[] = []
  const wrong = (message: string, path: PropertyKey[]): void => {
    context.addIssue({ code: 'custom', message, path })
  }
  for (const [key, value] of Object.entries(map)) {
    const [, name = '', end = ''] = /^([^/@]*)(.*)$/s.exec(key) ?? []
    const found = parseChannel(name)
    const variant = readVariant(end.replace(/^\//, ''))
    const id = variantName(variant)
    const isWrong = end.startsWith('/')
      ? variant.id === '' || !templateId.safeParse(id).success
      : variant.id !== ''
    if (!found || isWrong) {
      wrong(
        `Expected a channel (${CHANNELS.join(', ')}), optionally followed by / and an id, by @ and a language, or by both.`,
        [key]
      )
    } else if (entries.some(entry => entry.channel === found && entry.id === id)) {
      wrong('This template is given twice.', [key])
    } else {
      const parsed = templateSchemas[found].safeParse(value)
      if (parsed.success) entries.push({ channel: found, content: parsed.data, id, key })
      for (const issue of parsed.error?.issues ?? []) {
        if (issue.code !== 'unrecognized_keys') wrong(issue.message, [key, ...issue.path])
        else
          for (const name of issue.keys)
            wrong('Unknown field. Check its spelling, or remove it.', [key, ...issue.path, name])
      }
    }
  }
  return entries
})

/** `locale`: language of the template; absent for the template without a language. */
export const templateQuery = z.object({ locale: locale.optional() })

const checked = (isValid: (value: unknown) => boolean, expected: string) =>
  z.unknown().refine(isValid, expected)

/** A frequency, and the time of its digest. Numbers may be texts. */
const frequency = z.looseObject({
  date: z.enum(['first', 'last'], 'Expected first or last.').optional(),
  day: checked(
    value => parseWeekday(value) !== undefined,
    'Expected Monday to Sunday, or 0 to 7.'
  ).optional(),
  enabled: z.boolean('Expected true or false.').default(true),
  hour: checked(value => parseHour(value) !== undefined, 'Expected an hour from 0 to 23.').optional()
})

const deliveries = boundedRecord(
  20,
  z.object({ defaultDeliveryOption: z.enum(DELIVERIES).default('instant') }).catchall(z.unknown())
)

const deliveryOptions = deliveries.transform(({ defaultDeliveryOption, ...choices }, context) => {
  const frequencies: Record<string, z.output<typeof frequency>> = {}
  for (const [name, value] of Object.entries(choices)) {
    const parsed = frequency.safeParse(value)
    if (!(DELIVERIES as readonly string[]).includes(name)) {
      context.addIssue({
        code: 'custom',
        message: `Expected one of ${DELIVERIES.join(', ')}.`,
        path: [name]
      })
    } else if (parsed.success) frequencies[name] = parsed.data
    else
      for (const { message, path } of parsed.error.issues) {
        const isInside = path.length > 0
        context.addIssue({
          code: 'custom',
          message: isInside ? message : 'Expected { enabled: true } or { enabled: false }.',
          path: [name, ...path]
        })
      }
  }
  return { defaultDeliveryOption, ...frequencies }
})

const wholeNumber = (max: number) => z.int('Expected a whole number.').min(1, 'Expected 1 or more.').max(max)

/** Sends of one user that a rate counter stores. */
const MAX_THROTTLED_SENDS = 1000

const throttling = z
  .strictObject({
    max: wholeNumber(MAX_THROTTLED_SENDS).describe('Maximum number of sends in the period.'),
    period: wholeNumber(10_000).optional().describe('Length of the period, in units.'),
    unit: z
      .enum(PERIOD_UNITS, `Expected one of ${PERIOD_UNITS.join(', ')}.`)
      .optional()
      .describe('Unit of `period`.'),
    forever: z.boolean().optional().describe('`true`: the maximum applies to all time instead of a period.'),
    scope: z
      .array(z.string())
      .max(10)
      .refine(
        names => names.toSorted().join() === 'notificationId,userId',
        'Expected ["userId", "notificationId"], because sends are counted for each user and type.'
      )
      .optional()
      .describe('Always `["userId", "notificationId"]`.')
  })
  .check(({ value: { forever, period, unit }, issues, value }) => {
    if (forever) return
    for (const [key, field] of Object.entries({ period, unit })) {
      if (field !== undefined) continue
      const message = 'This field is required unless forever is true.'
      issues.push({ code: 'custom', input: value, message, path: [key] })
    }
  })

const MAX_DEDUPLICATION_SECONDS = 31_622_400
const deduplication = z.strictObject({
  duration: wholeNumber(MAX_DEDUPLICATION_SECONDS).describe('In seconds.')
})

/** Defaults: `title` is the id, `channels` are those with a template, and `templates` do not change. */
export const typeFields = z.strictObject({
  id: typeId.optional().describe('Must equal the id in the path.'),
  title: lineText(MAX_TITLE_LENGTH)
    .min(1)
    .optional()
    .describe('Title that users read in their preferences. Default: the id.'),
  channels: z
    .array(channel)
    .max(50)
    .transform(list => [...new Set(list)])
    .optional()
    .describe('Channels of the type. Absent or empty: every channel with a template.'),
  enabled: z.boolean().default(true).describe('`false`: nothing of this type is sent.'),
  adHoc: z.boolean().optional().describe('The type was created by a send with its own content.'),
  retention: z
    .number()
    .positive()
    .max(3650)
    .optional()
    .describe('Days until an in-app notification expires. Absent: it does not expire.'),
  throttling: throttling.optional().describe('Maximum number of sends to a user; others are discarded.'),
  deduplication: deduplication
    .optional()
    .describe('Discards sends with the same content to a user within this time.'),
  escalate: escalateBody(channel),
  cancelOnRead: z
    .boolean()
    .optional()
    .describe(
      '`false`: digests and delays keep a notification that was read meanwhile. Absent: it leaves them.'
    ),
  description: lineText(MAX_DESCRIPTION_LENGTH)
    .min(1)
    .optional()
    .describe('What the type is about. Users read it below the title in their preferences.'),
  group: lineText(MAX_TITLE_LENGTH)
    .min(1)
    .optional()
    .describe('Heading in the preferences, above all types with the same one.'),
  tags,
  urgent: z
    .boolean()
    .optional()
    .describe(
      '`true`: a pause of the user does not hold it back, nor do quiet hours that let urgent ones pass.'
    ),
  locked: z
    .array(channel)
    .max(50)
    .transform(list => [...new Set(list)])
    .optional()
    .describe('Channels that users cannot turn off. Their preferences for these channels do not apply.'),
  icon: appearance.icon.optional().describe('Icon of in-app notifications without one of their own.'),
  imageShape: appearance.imageShape
    .optional()
    .describe('Shape of their images. Default: as the element says.'),
  tone: appearance.tone.optional().describe('Color of their icons and letters. Default: by the type.'),
  options: z
    .partialRecord(z.enum(CHANNELS), deliveryOptions)
    .default({})
    .describe(
      'Frequencies that users can choose for each channel, and the default: `{ EMAIL: { defaultDeliveryOption: "instant", daily: { enabled: true, hour: 8 } } }`. Digests are sent at 9 by default; `weekly` has a `day`, `monthly` a `date`: first or last.'
    ),
  templates: templates
    .optional()
    .describe(
      'Templates by channel: `EMAIL`, `EMAIL/short` for sends with the template id `short`, `EMAIL@de` for users with the language German. Absent: templates do not change.'
    ),
  // Parts of the answer to GET, read-only.
  managedBy: z.unknown().optional().describe('Ignored.'),
  updatedAt: z.unknown().optional().describe('Ignored.'),
  version: z.unknown().optional().describe('Ignored.')
})

export const typeBody = typeFields.check(checkConditions)

export type TypeBody = z.output<typeof typeBody>
