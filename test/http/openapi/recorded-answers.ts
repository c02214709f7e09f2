// The file of recorded answers: how a test writes it, and how it compares an answer of the server with it.

import { readFileSync, writeFileSync } from 'node:fs'

import type { RecordedAnswers } from '../../../server/http/openapi/document.ts'
import type { Example } from '../../../server/http/route-doc.ts'
import { CLIENT, OTHER } from '../../security/app.ts'

const FILE = new URL('../../../server/http/openapi/recorded-answers.json', import.meta.url)

export const HOW_TO_RECORD =
  'Record it with: TEST_RECORD=1 node test/run.ts test/http/openapi/examples.test.ts, then read the difference.'

export const isRecording = process.env['TEST_RECORD'] !== undefined

export const readRecorded = (): RecordedAnswers => JSON.parse(readFileSync(FILE, 'utf8')) as RecordedAnswers

/** One example a line, so that two branches which add examples merge. */
export function writeRecorded(answers: RecordedAnswers): void {
  const operations = Object.entries(answers)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([operation, examples]) => {
      const lines = Object.entries(examples).map(
        ([name, answer]) => `    ${JSON.stringify(name)}: ${JSON.stringify(answer)}`
      )
      return `  ${JSON.stringify(operation)}: {\n${lines.join(',\n')}\n  }`
    })
  writeFileSync(FILE, `{\n${operations.join(',\n')}\n}\n`)
}

/** A long list shows nothing more than a short one. */
const MAX_ITEMS = 2

const UUID = /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/g
const INSTANT = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|\+00:00)/g
const NOW = '2026-11-20T04:34:37.557Z'
const LATER = '2026-11-27T04:34:37.557Z'
const SOON_MS = 300_000

/** Values that are random or measured, by the name of their field. */
const FIXED: Readonly<Record<string, unknown>> = {
  clientSecret: 'T0bVYk1yq3pB8cJxW2mZr5dNf7hGs9aL4eQuKi6oEwA',
  csrfToken: 'nX1zjkTMgELJsd7_ZUFhgcma8wIvRDj8ZMGbs5ktQzs',
  environmentVapidPublicKey:
    'BEl62iUYgUivxIkv69yViEuiBIa-Ib9-SkvMeAtA3LFgDzkrxZJjSgSnfckjBJuBkr3qBUYIHBQFLXYp5Nksh8U',
  expDate: 1_766_205_277,
  key: 'nk_VGhpcyBpcyBhbiBleGFtcGxlIG9mIGFuIEFQSSBrZXk',
  next: 'MTc5NTc1MDQ3NzU1Nw',
  raw: 'From: notifications@localhost\r\nTo: u1@example.com\r\nSubject: Comment\r\n\r\nNice\r\n',
  slack_token: '\\xcc17feb2559f5771d3aa9449f580f0c3',
  start: 'nk_VGhpc',
  tookMs: 12
}

/** Versions of inboxes grow with the time; they are mapped in their order. */
const FIRST_VERSION = 1_795_149_277_557
const VERSIONS = /\b\d{13}\b/g

/** Replaces what differs in every run: ids, instants that the example does not name, versions, secrets and durations. */
export function toStable(answer: unknown, example: Example): unknown {
  const asked = JSON.stringify([example.body, example.params, example.query])
  const names = new Set([CLIENT, OTHER, (example.body as { clientId?: string } | undefined)?.clientId])
  const versions = [...new Set(JSON.stringify(answer).match(VERSIONS)?.map(Number))].toSorted((a, b) => a - b)
  const ids = new Map<string, string>()
  const text = (value: string): string =>
    value
      .replace(UUID, id => {
        if (asked.includes(id)) return id
        if (!ids.has(id)) ids.set(id, `01937f6e-0000-7000-8000-${String(ids.size + 1).padStart(12, '0')}`)
        return ids.get(id)!
      })
      .replace(INSTANT, at => {
        const seconds = at.slice(0, 19)
        if (asked.includes(seconds)) return at
        return Date.parse(at) > Date.now() + SOON_MS ? LATER : NOW
      })
  const stable = (value: unknown, key: string): unknown => {
    if (value === null || value === undefined) return value
    if (key in FIXED) return FIXED[key]
    if (key.endsWith('_after')) return 12
    if (key === 'clientId' && !names.has(String(value))) return 'client_2f6c1d7a53'
    if (typeof value === 'string') return text(value)
    if (Array.isArray(value)) return value.slice(0, MAX_ITEMS).map(item => stable(item, ''))
    if (typeof value === 'number' && versions.includes(value)) return FIRST_VERSION + versions.indexOf(value)
    if (typeof value !== 'object') return value
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, stable(member, name)]))
  }
  return stable(answer, '')
}

/** @returns a line for each field with its type; the items of an array count as one */
export function shapeOf(value: unknown, path = '#'): string[] {
  if (Array.isArray(value)) {
    return [...new Set([`${path} array`, ...value.flatMap(item => shapeOf(item, `${path}/*`))])].toSorted()
  }
  if (typeof value !== 'object' || value === null)
    return [`${path} ${value === null ? 'null' : typeof value}`]
  const inside = Object.entries(value).flatMap(([name, member]) => shapeOf(member, `${path}/${name}`))
  return [`${path} object`, ...inside].toSorted()
}
