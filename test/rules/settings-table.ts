// The README's table of settings, made from the settings themselves. `node test/rules/settings-table.ts` writes it.

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { printConfig, readConfig } from '../../server/config.ts'

const README = join(import.meta.dirname, '../../README.md')
const PLACE = /(<!-- settings:[^>]*-->\n)([\s\S]*?)(<!-- \/settings -->)/

export function settingsTable(): string {
  const read = readConfig({})
  if (!('config' in read)) throw new Error('The defaults are not a configuration.')
  const rows = printConfig(read.config)
    .trim()
    .split(/\n\n/)
    .map(entry => {
      const [, doc, env, value] = /^# (.*)\n(\w+)=(.*)$/.exec(entry)!
      return `| \`${env}\` | ${value === '' ? '' : `\`${value}\``} | ${doc} |`
    })
  return ['| Setting | Default | Meaning |', '|---|---|---|', ...rows, ''].join('\n')
}

export const tableInReadme = (): string | undefined => PLACE.exec(readFileSync(README, 'utf8'))?.[2]

if (import.meta.main) {
  writeFileSync(
    README,
    readFileSync(README, 'utf8').replace(
      PLACE,
      (_, start: string, _old, end: string) => start + settingsTable() + end
    )
  )
}
