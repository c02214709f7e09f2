// An update of an item by the back end: which fields it may have, and what the item then contains. Pure.

import { z } from 'zod'

import { formerName, instant } from '../../http/common-schemas.ts'
import { invalidFields, toPointer } from '../../http/parse-input.ts'
import type { FieldProblem } from '../../http/problem.ts'
import {
  image,
  line,
  link,
  MAX_LINE_CHARACTERS,
  requiredText,
  text
} from '../../types/templates/field-kind.ts'
import { finishField } from '../../types/templates/field.ts'
import { actionId, appearance, buildExtras, inAppExtras } from '../../types/templates/in-app-extras.ts'
import { listTexts } from '../../types/templates/list-texts.ts'
import type { ItemContent } from '../item.ts'

const outcome = z.strictObject({
  actionId: actionId.describe('Button that was pressed.'),
  state: z.enum(['pending', 'done', 'failed']).default('done').describe('Default: done.'),
  text: line().optional().describe('Such as “You approved this”.'),
  by: line().optional().describe('Name of the person who acted, if it was not this user.')
})

const { actions, actorCount, actors, progress, reply } = inAppExtras
const { icon, imageShape, tone } = appearance

/** Keeps the description. */
const orNull = <S extends z.ZodType>(schema: S) => schema.nullish().describe(schema.description!)

/** Texts are plain, not Liquid. `null` removes a field. */
export const itemUpdate = z.strictObject({
  title: requiredText('Title.', MAX_LINE_CHARACTERS).optional(),
  body: text().nullish().describe('Text below the title.'),
  url: link().nullish().describe('Address that a click opens.'),
  image: image().nullish().describe('Address of an image.'),
  redirectURL: formerName(link().nullable(), 'url'),
  imageURL: formerName(image().nullable(), 'image'),
  actions: orNull(actions),
  reply: orNull(reply),
  progress: orNull(progress),
  actors: orNull(actors),
  actorCount: orNull(actorCount),
  imageShape: orNull(imageShape),
  icon: orNull(icon),
  tone: orNull(tone),
  outcome: outcome.nullish().describe('What became of a button; it replaces the buttons if it is done.'),
  notify: z
    .boolean()
    .default(false)
    .describe(
      '`true`: the notification becomes new, unread and the first one. Default: it changes in its place.'
    )
})

export const pressBody = z.strictObject({
  at: instant.optional().describe('When the user pressed it. Default: now.')
})

export type ItemUpdate = z.output<typeof itemUpdate>

/** A new text is plain, so it has no runs. */
const DEPENDENT = { body: 'bodyRuns', title: 'titleRuns' } as const

/**
 * Returns the content of the item after the update.
 *
 * @param now - milliseconds since 1970
 * @throws Problem for an unsafe address
 */
export function applyUpdate(
  old: ItemContent,
  { image: imageAlias, outcome: result, url, ...update }: Omit<ItemUpdate, 'notify'>,
  now: number
): ItemContent {
  const given = {
    ...(imageAlias !== undefined && { imageURL: imageAlias }),
    ...(url !== undefined && { redirectURL: url }),
    ...update
  }
  const set = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null))
  const fields = finishTexts(set)
  const { body, imageURL, redirectURL, title } = fields
  const content: Record<string, unknown> = { ...old }
  for (const name of Object.keys(given)) {
    delete content[name]
    if (name in DEPENDENT) delete content[DEPENDENT[name as keyof typeof DEPENDENT]]
  }
  if (result !== undefined) delete content['outcome']
  return {
    ...(content as unknown as ItemContent),
    ...(title && { title }),
    ...(body && { body }),
    ...(imageURL && { imageURL }),
    ...(redirectURL && { redirectURL }),
    ...buildExtras(set, fields),
    ...(result && {
      outcome: {
        actionId: result.actionId,
        at: new Date(now).toISOString(),
        state: result.state,
        ...(result.text && { text: result.text }),
        ...(result.by && { by: result.by })
      }
    })
  }
}

/** Checks and cleans the texts by their names, such as `actions.0.label`. */
function finishTexts(content: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  const fields: Record<string, string> = {}
  const faults: FieldProblem[] = []
  for (const { kind, name, text: given } of listTexts('INAPP_WEB', content)) {
    const done = finishField(kind, given)
    if (done.ok) fields[name] = done.text
    else faults.push({ detail: done.detail, pointer: toPointer(name.split('.')) })
  }
  if (faults.length > 0) throw invalidFields(faults)
  return fields
}
