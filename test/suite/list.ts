// `npm run test:list`: writes the table of test files into test/README.md, with the seconds of their last run.

import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { ROOT } from './program.ts'
import { tierName, TIER_NAMES, type TierName } from './tiers.ts'
import { readTimings, type Timings } from './timings.ts'

export const README = join(ROOT, 'test/README.md')

const BEGIN = '<!-- npm run test:list writes what follows -->'

const TITLES: Readonly<Record<TierName, string>> = {
  both: '`npm test` with fewer cases, `npm run test:full` with all',
  full: '`npm run test:full`',
  quick: '`npm test`'
}

export interface ListedFile {
  readonly file: string
  readonly tier: TierName
  readonly seconds: number | undefined
}

/** @returns the rows of the tables as they stand in the text */
export function listedFiles(readme: string): ListedFile[] {
  const [, tables = ''] = readme.split(BEGIN)
  return tables.split('\n## ').flatMap(section => {
    const tier = TIER_NAMES.find(name => section.startsWith(`${TITLES[name]}:`))
    if (!tier) return []
    return [...section.matchAll(/^\| `([^`]+)` \| ([\d.]*) \|$/gm)].map(([, file, seconds]) => ({
      file: file!,
      seconds: seconds ? Number(seconds) : undefined,
      tier
    }))
  })
}

/** A file that has not run here since it was listed keeps its seconds. */
export function writeTables(readme: string, files: readonly string[], timings: Timings): string {
  const known = new Map(listedFiles(readme).map(({ file, seconds }) => [file, seconds]))
  const tables = TIER_NAMES.map(name => {
    const rows = files
      .filter(file => tierName(file) === name)
      .map(file => ({ file, seconds: timings[file] ?? known.get(file) }))
    const sum = rows.reduce((total, { seconds = 0 }) => total + seconds, 0)
    const lines = rows.map(({ file, seconds }) => `| \`${file}\` | ${seconds?.toFixed(1) ?? ''} |`)
    const title = `## ${TITLES[name]}: ${rows.length} files, ${Math.round(sum)} s one after the other`
    return [title, '', '| File | Seconds |', '| --- | ---: |', ...lines, ''].join('\n')
  })
  return `${readme.split(BEGIN)[0]}${BEGIN}\n\n${tables.join('\n')}`
}

export const findTestFiles = (): string[] =>
  globSync('test/**/*.test.ts', { cwd: ROOT, exclude: ['**/node_modules'] }).toSorted()

if (import.meta.main) {
  writeFileSync(README, writeTables(readFileSync(README, 'utf8'), findTestFiles(), readTimings()))
}
