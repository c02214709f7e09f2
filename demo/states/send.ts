// One notification in its two forms: the template of its type, which is the code of a state, and the item that comes of it.

import type { ItemExtras, Notif, TextRun } from '../../components/protocol/index.ts'

interface InApp extends ItemExtras {
  /** `**bold**` is bold. */
  readonly title: string
  readonly body?: string
  readonly image?: string
  readonly url?: string
}

export interface Type {
  readonly id: string
  readonly inapp: InApp
}

const MINUTE = 60_000

export const ago = (minutes: number): string => new Date(Date.now() - minutes * MINUTE).toISOString()
export const ahead = (minutes: number): string => ago(-minutes)

function toRuns(title: string): readonly TextRun[] {
  return title
    .split('**')
    .map((text, i): TextRun => (i % 2 ? { bold: true, text } : { text }))
    .filter(({ text }) => text !== '')
}

/** Returns the item of a send to this type. @param more - when it came and what its user did with it */
export function toItem(
  { id, inapp: { image, title, url, ...inapp } }: Type,
  more: Partial<Notif> = {}
): Partial<Notif> & Pick<Notif, 'title'> {
  const runs = toRuns(title)
  return {
    ...inapp,
    ...(image && { imageURL: image }),
    ...(url && { redirectURL: url }),
    ...(runs.length > 1 && { titleRuns: runs }),
    id,
    title: runs.map(({ text }) => text).join(''),
    type: id,
    ...more
  }
}

/** A text that YAML reads as something else has quotes. */
const toScalar = (value: unknown): string =>
  typeof value === 'string' && !/^[\p{L}/][^:#'"]*$/u.test(value)
    ? `'${value.replaceAll("'", "''")}'`
    : String(value)

const toItems = (list: readonly object[]): readonly string[] =>
  list.flatMap(item => toLines(item).map((line, i) => (i ? `  ${line}` : `- ${line}`)))

function toField(name: string, field: unknown): readonly string[] {
  if (typeof field !== 'object' || field === null) return [`${name}: ${toScalar(field)}`]
  const lines = Array.isArray(field) ? toItems(field) : toLines(field)
  return [`${name}:`].concat(lines.map(line => `  ${line}`))
}

const toLines = (value: object): readonly string[] =>
  Object.entries(value).flatMap(([name, field]) => toField(name, field))

/** Returns the file of the type. */
export const toTypeFile = ({ id, inapp }: Type): string => toLines({ id, templates: { inapp } }).join('\n')
