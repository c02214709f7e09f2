// Writes docs/elements.md from the classes of the elements and their doc tags. `node test/rules/elements-page.ts` writes it.

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { describe, elementsOf, type Described, type Element } from '../../components/package/elements.ts'

const PAGE = join(import.meta.dirname, '../../docs/elements.md')
const PLACE = /(<!-- elements:[^>]*-->\n)([\s\S]*?)(<!-- \/elements -->)/

const cell = (text = ''): string =>
  text
    .replaceAll(/\s+/g, ' ')
    .replaceAll('|', String.raw`\|`)
    .trim()

const code = (text: string | undefined): string => (text ? `\`${cell(text)}\`` : '')

/** @returns no lines if there are no rows */
function table(title: string, head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const lines = [head, head.map(() => '---'), ...rows].map(cells => `| ${cells.join(' | ')} |`)
  return rows.length === 0 ? [] : [`**${title}**`, lines.join('\n')]
}

const named = (title: string, all: readonly Described[] = []): string[] =>
  table(
    title,
    ['Name', 'Meaning'],
    all.map(({ description, name }) => [name === '' ? '(default)' : code(name), cell(description)])
  )

function section({
  cssParts,
  cssProperties,
  cssStates,
  events,
  members = [],
  slots,
  ...one
}: Element): string {
  const fields = members.filter(({ kind }) => kind === 'field')
  const methods = members.filter(({ kind }) => kind === 'method')
  return [
    `## ${one.tagName}`,
    cell(one.description),
    ...table(
      'Parameters',
      ['Property', 'Attribute', 'Type', 'Default', 'Meaning'],
      fields.map(({ attribute, default: value, description, name, type }) => [
        code(name),
        code(attribute),
        code(type?.text.replace(/ \| undefined$/, '')),
        value === undefined || value === 'undefined' ? '' : code(value),
        cell(description)
      ])
    ),
    ...named(
      'Methods',
      methods.map(({ description = '', name }) => ({ description, name: `${name}()` }))
    ),
    ...named('Events', events),
    ...named('Slots', slots),
    ...named('Parts', cssParts),
    ...table(
      'Custom properties',
      ['Name', 'Default', 'Meaning'],
      (cssProperties ?? []).map(({ default: value, description, name }) => [
        code(name),
        code(value),
        cell(description)
      ])
    ),
    ...named('States', cssStates)
  ].join('\n\n')
}

export const elementsText = (): string =>
  `\n${elementsOf(describe())
    .map(one => section(one))
    .join('\n\n')}\n\n`

export const elementsOfPage = (): string | undefined => PLACE.exec(readFileSync(PAGE, 'utf8'))?.[2]

if (import.meta.main) {
  writeFileSync(
    PAGE,
    readFileSync(PAGE, 'utf8').replace(
      PLACE,
      (_, start: string, _old, end: string) => start + elementsText() + end
    )
  )
}
