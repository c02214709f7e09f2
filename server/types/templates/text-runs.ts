// Markers of mark-up in a template, and the runs that a rendering with markers becomes.
//
// A marker outputs a variable whose name is random in each process, and its value is random in each rendering. So neither a value nor a
// filter can create one: what is not a token of this very rendering is text.

import { randomBytes, randomUUID } from 'node:crypto'

import type { TextRun } from '#protocol'

import { finishField } from './field.ts'
import type { Replacer } from './replace.ts'

const STYLES = ['bold', 'code', 'italic', 'strike', 'underline'] as const
export type Style = (typeof STYLES)[number]

/** `address` begins the address of a link, `link` ends it and begins the link. */
type MarkerName = Style | `/${Style}` | 'address' | 'link' | '/link' | 'break'

const NAMES: readonly MarkerName[] = [
  ...STYLES,
  ...STYLES.map(style => `/${style}` as const),
  'address',
  'link',
  '/link',
  'break'
]

const VARIABLE = `_${randomBytes(6).toString('hex')}`

const propertyName = (index: number): string => String.fromCodePoint(97 + index)

const MARKER_START = `{{${VARIABLE}.`

/** Liquid that marks a place in a template. */
export const marker = (name: MarkerName): string => `${MARKER_START}${propertyName(NAMES.indexOf(name))}}}`

export const countMarkers = (template: string): number => template.split(MARKER_START).length - 1

const TOKEN_DIGITS = 16
/** Tokens consist of noncharacters (Unicode 23.7), which no filter changes and no text needs. */
const TOKEN = new RegExp(`(\uFDD1[\uFDE0-\uFDEF]{${TOKEN_DIGITS}})`)
const DIGITS = Array.from({ length: 16 }, (_, i) => String.fromCodePoint(0xfde0 + i))
const NONCHARACTERS = /[\uFDD0-\uFDEF]/g

/** Of one text. One with more is shown without mark-up. */
const MAX_RUNS = 100
const MAX_RUNS_BYTES = 16_384

export interface Markers {
  /** Data for the template. */
  readonly data: Readonly<Record<string, unknown>>
  /** @returns the runs of a text that was rendered with the data */
  read(rendered: string, replacer?: Replacer): TextRun[]
}

/** For one rendering. Each token is another part of one random number, because more random numbers would take most of the time. */
export function createMarkers(): Markers {
  const digits = [...randomUUID().replaceAll('-', '')]
    .map(digit => DIGITS[Number.parseInt(digit, 16)])
    .join('')
  const names = new Map<string, MarkerName>()
  const values: Record<string, string> = {}
  for (const [i, name] of NAMES.entries()) {
    const token = `\uFDD1${digits.slice(i, i + TOKEN_DIGITS)}`
    names.set(token, name)
    values[propertyName(i)] = token
  }
  return {
    data: { [VARIABLE]: values },
    read: (rendered, replacer = text => text) => readRuns(rendered, names, replacer)
  }
}

/** Whether the runs say more than their text, within the limits. */
export const areRich = (runs: readonly TextRun[]): boolean =>
  runs.length <= MAX_RUNS &&
  runs.some(run => Object.keys(run).length > 1) &&
  Buffer.byteLength(JSON.stringify(runs)) <= MAX_RUNS_BYTES

export const plainText = (runs: readonly TextRun[]): string => runs.map(({ text }) => text).join('')

/** What is not closed ends with the text, and what is closed twice is ignored. */
function readRuns(rendered: string, names: ReadonlyMap<string, MarkerName>, replacer: Replacer): TextRun[] {
  const runs: TextRun[] = []
  const depths = new Map<string, number>()
  let address: string | undefined
  let href: string | undefined

  const append = (text: string): void => {
    if (text === '') return
    const styles = STYLES.filter(style => depths.get(style)).map(style => [style, true])
    const run: TextRun = { text, ...Object.fromEntries(styles), ...(href !== undefined && { href }) }
    const last = runs.at(-1)
    if (last && !last.break && isSameStyle(last, run)) runs.push({ ...runs.pop()!, text: last.text + text })
    else runs.push(run)
  }
  const mark = (name: MarkerName): void => {
    if (name === 'address') address = ''
    else if (name === 'link') {
      const link = finishField('link', replacer(address ?? ''))
      href = link.ok && link.text !== '' ? link.text : undefined
      address = undefined
    } else if (address !== undefined) return
    else if (name === '/link') href = undefined
    else if (name === 'break') runs.push({ break: true, text: '\n' })
    else if (name.startsWith('/'))
      depths.set(name.slice(1), Math.max(0, (depths.get(name.slice(1)) ?? 0) - 1))
    else depths.set(name, (depths.get(name) ?? 0) + 1)
  }

  for (const part of rendered.split(TOKEN)) {
    const name = names.get(part)
    if (name) mark(name)
    else {
      // A filter may have cut a token.
      const text = part.replaceAll(NONCHARACTERS, '')
      if (address === undefined) append(text)
      else address += text
    }
  }
  // An address without an end, as of a condition around it, is text.
  append(address ?? '')
  return runs.flatMap(run => {
    if (run.break) return [run]
    const finished = finishField('text', replacer(run.text))
    return finished.ok && finished.text !== '' ? [{ ...run, text: finished.text }] : []
  })
}

const isSameStyle = (one: TextRun, other: TextRun): boolean =>
  one.href === other.href && STYLES.every(style => one[style] === other[style])
