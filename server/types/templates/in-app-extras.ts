// What an in-app notification has beside its texts: schemas of the fields in templates and sends, and their form in the item.

import { z } from 'zod'

import {
  ICONS,
  IMAGE_SHAPES,
  MAX_ACTIONS,
  MAX_ACTORS,
  MAX_REPLY_CHARACTERS,
  TONES,
  type ItemExtras
} from '#protocol'

import { image, isLiquid, line, link, requiredLine } from './field-kind.ts'

const MAX_ACTION_ID_CHARACTERS = 64
const MAX_ACTOR_COUNT = 1_000_000

/** How the picture of an item looks; also a default of its type. */
export const appearance = {
  icon: z.enum(ICONS, `Expected one of ${ICONS.join(', ')}.`).describe('Icon, if there is no image.'),
  imageShape: z
    .enum(IMAGE_SHAPES, `Expected one of ${IMAGE_SHAPES.join(', ')}.`)
    .describe('Shape of the image. Default: as the element says.'),
  tone: z
    .literal(TONES, 'Expected a whole number from 1 to 6.')
    .describe('Color of the icon or letter. Default: a color for each type.')
}

const NO_NUMBER = 'Expected a number, or a Liquid text that gives one.'
const numberText = line().refine(isLiquid, NO_NUMBER)

export const actionId = z
  .string()
  .regex(/^[\w.~-]+$/, 'Expected letters, digits, dots, dashes, ~ or _.')
  .max(MAX_ACTION_ID_CHARACTERS)

export const itemAction = z
  .strictObject({
    id: actionId.describe('Name of the button in events and webhooks.'),
    label: requiredLine('Words of the button. If they are empty once rendered, there is no button.'),
    style: z.enum(['primary', 'danger']).optional().describe('Default: the first button is the main one.'),
    url: link().optional().describe('Makes the button a link.'),
    send: z
      .literal(true)
      .optional()
      .describe("Sends a webhook to the environment's `webhook`. Default: the page gets an event.")
  })
  .refine(({ send, url }) => !send || !url, { error: 'Expected url or send, not both.', path: ['send'] })

const actions = z
  .array(itemAction)
  .max(MAX_ACTIONS)
  .refine(
    list => new Set(list.map(({ id }) => id)).size === list.length,
    'Expected a different id for each button.'
  )

export const progressState = z.enum(['running', 'done', 'failed'])

/** Fields of the content; every text is Liquid. */
export const inAppExtras = {
  actions: actions.optional().describe('Buttons in the row, at most two.'),
  reply: z
    .strictObject({
      label: line().optional().describe('Words in the empty field, such as “Reply to Amara”.'),
      max: z
        .int()
        .min(1)
        .max(MAX_REPLY_CHARACTERS)
        .optional()
        .describe(`Characters of a reply. Default: ${MAX_REPLY_CHARACTERS}.`)
    })
    .optional()
    .describe('The user may reply in the row.'),
  progress: z
    .strictObject({
      value: z
        .union([z.number().min(0).max(1), numberText], NO_NUMBER)
        .optional()
        .describe('0 to 1. Absent: unknown.'),
      text: line().optional().describe('What screen readers say instead of the percentage.'),
      state: progressState.default('running').describe('Default: running.')
    })
    .optional()
    .describe('A bar in the row, which later updates of the notification move.'),
  actors: z
    .array(
      z.strictObject({
        name: requiredLine('Name. If it is empty once rendered, the person is left out.'),
        imageURL: image().optional().describe('Address of a picture.')
      })
    )
    .max(MAX_ACTORS)
    .optional()
    .describe('People whose pictures are shown, at most four.'),
  actorCount: z
    .union([z.int().min(0).max(MAX_ACTOR_COUNT), numberText], NO_NUMBER)
    .optional()
    .describe('Number of all people, if there are more than `actors`.'),
  imageShape: appearance.imageShape.optional(),
  icon: appearance.icon.optional(),
  tone: appearance.tone.optional()
}

type Extras = z.output<z.ZodObject<typeof inAppExtras>>

/** Type settings. */
type Appearance = { readonly [K in 'icon' | 'imageShape' | 'tone']?: ItemExtras[K] | undefined }

const EXTRA_NAMES = Object.keys(inAppExtras)
const NO_EXTRAS: ItemExtras = {}

/** @returns undefined for a text that is not a number within the bounds, such as an empty one */
function toNumber(value: number | string | undefined, text: string | undefined, max: number) {
  const number = typeof value === 'number' ? value : text ? Number(text) : Number.NaN
  return number >= 0 && number <= max ? number : undefined
}

/**
 * Builds the extras of an item.
 *
 * @param content - the content of the channel before rendering
 * @param fields - the rendered texts by name, such as `actions.0.label`
 * @param defaults - of the type
 */
export function buildExtras(
  content: Readonly<Record<string, unknown>>,
  fields: Readonly<Record<string, string>>,
  defaults: Appearance = {}
): ItemExtras {
  const icon = (content as Extras).icon ?? defaults.icon
  const imageShape = (content as Extras).imageShape ?? defaults.imageShape
  const tone = (content as Extras).tone ?? defaults.tone
  if (!icon && !imageShape && !tone && !EXTRA_NAMES.some(name => name in content)) return NO_EXTRAS
  const { actions: buttons, actorCount, actors, progress, reply } = content as Extras
  const shownActions = buttons?.flatMap(({ id, send, style, url: address }, i) => {
    const { [`actions.${i}.label`]: label = '', [`actions.${i}.url`]: url } = fields
    // A link without an address would be an event that no page expects.
    if (label === '' || (address && !url)) return []
    return [{ id, label, ...(style && { style }), ...(url && { url }), ...(send && { send }) }]
  })
  const shownActors = actors?.flatMap((_, i) => {
    const { [`actors.${i}.name`]: name = '', [`actors.${i}.imageURL`]: imageURL } = fields
    return name === '' ? [] : [{ name, ...(imageURL && { imageURL }) }]
  })
  const count = toNumber(actorCount, fields['actorCount'], MAX_ACTOR_COUNT)
  const value = toNumber(progress?.value, fields['progress.value'], 1)
  const { 'progress.text': progressText, 'reply.label': replyLabel } = fields
  return {
    ...(shownActions?.length && { actions: shownActions }),
    ...(reply && {
      reply: { ...(replyLabel && { label: replyLabel }), ...(reply.max && { max: reply.max }) }
    }),
    ...(progress && {
      progress: {
        ...(value !== undefined && { value }),
        ...(progressText && { text: progressText }),
        state: progress.state
      }
    }),
    ...(shownActors?.length && { actors: shownActors }),
    ...(count !== undefined && { actorCount: Math.floor(count) }),
    ...(imageShape && { imageShape }),
    ...(icon && { icon }),
    ...(tone && { tone })
  }
}
