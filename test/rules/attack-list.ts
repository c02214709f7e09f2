// Writes the table of test/security/README.md: attacks by class, and tests by file. `node test/rules/attack-list.ts` writes it.

import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { ATTACKS } from '../security/attacks/attacks.ts'

const FOLDER = join(import.meta.dirname, '../security')
export const PAGE = join(FOLDER, 'README.md')
const MARK = '<!-- node test/rules/attack-list.ts writes what follows -->'

/** The first comment of a file. */
const firstSentence = (source: string): string =>
  source
    .slice(3, source.indexOf('\n\n'))
    .replaceAll('\n// ', ' ')
    .split(/(?<=\.) /)[0]!

function listTests(folder = ''): string[] {
  const names = readdirSync(join(FOLDER, folder)).filter(name => name.endsWith('.test.ts'))
  return names.toSorted().map(file => {
    const name = folder + file
    const source = readFileSync(join(FOLDER, name), 'utf8')
    const count = source.match(/^ *test(?:Generated)?\($|^ *test(?:Generated)?\([^)]/gm)?.length ?? 0
    return `| \`${name}\` | ${count} | ${firstSentence(source)} |`
  })
}

/** Returns the page with the numbers of the test files as they are. */
export function writePage(page: string): string {
  const classes = Object.entries(ATTACKS).map(([name, attacks]) => `| ${name} | ${attacks.length} |`)
  const sum = Object.values(ATTACKS).reduce((total, { length }) => total + length, 0)
  const lines = [
    MARK,
    '',
    `## ${sum} attacks that failed`,
    '',
    '| Class | Attacks |',
    '| --- | ---: |',
    ...classes,
    '',
    '## Other tests of this folder, and of sign-ins',
    '',
    'A test in a loop counts once.',
    '',
    '| File | Tests | What they show |',
    '| --- | ---: | --- |',
    ...listTests(),
    ...listTests('../operators/'),
    ''
  ]
  return page.slice(0, page.indexOf(MARK)) + lines.join('\n')
}

if (import.meta.main) writeFileSync(PAGE, writePage(readFileSync(PAGE, 'utf8')))
