// Writes the table of docs/settings.md from the configuration. `node test/rules/settings-table.ts` writes it.

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { printConfig, readConfig } from '../../server/config/config.ts'

const PAGE = join(import.meta.dirname, '../../docs/settings.md')
const PLACE = /(<!-- settings:[^>]*-->\n)([\s\S]*?)(<!-- \/settings -->)/

/** Headings of the page by the first setting below them; the settings keep the order of the configuration. */
const PARTS: Readonly<Record<string, string>> = {
  DATABASE_URL: 'Every installation that users reach',
  NOTIF_CLIENT_ID: 'Own credentials instead of generated ones',
  NOTIF_OIDC_ISSUER: 'Dashboard: who may sign in',
  PORT: 'The process: address, role, folders',
  DATABASE_LISTEN_URL: 'Database: poolers and connections',
  NOTIF_SMTP_URL: 'Email',
  NOTIF_SMS_PROVIDER: 'SMS and calls',
  NOTIF_APNS_KEY: 'Mobile push and web push',
  NOTIF_SLACK_URL: 'Slack',
  NOTIF_ORIGINS: 'Security: who may call, and what the server may reach',
  NOTIF_REQUESTS_PER_SECOND: 'Load: rates and connections',
  NOTIF_RETENTION_DAYS: 'Sizes, times and defaults'
}

interface Entry {
  readonly doc: string
  readonly env: string
  readonly value: string
}

function entries(): readonly Entry[] {
  const read = readConfig({})
  if (!('config' in read)) throw new Error('The defaults are not a configuration.')
  return printConfig(read.config)
    .trim()
    .split(/\n\n/)
    .map(entry => {
      const [, doc, env, value] = /^# (.*)\n(\w+)=(.*)$/.exec(entry)!
      return { doc: doc!, env: env!, value: value! }
    })
}

export const settingNames = (): readonly string[] => entries().map(({ env }) => env)

export function settingsTable(): string {
  const all = entries()
  const lost = Object.keys(PARTS).find(name => !all.some(({ env }) => env === name))
  if (lost !== undefined) throw new Error(`A part of the page begins with ${lost}, which is no setting.`)
  const lines = all.map(({ doc, env, value }) => {
    const head = env in PARTS ? `\n## ${PARTS[env]}\n\n| Setting | Default | Meaning |\n|---|---|---|\n` : ''
    return `${head}| \`${env}\` | ${value === '' ? '' : `\`${value}\``} | ${doc} |`
  })
  return [...lines, '', ''].join('\n')
}

export const tableOfPage = (): string | undefined => PLACE.exec(readFileSync(PAGE, 'utf8'))?.[2]

if (import.meta.main) {
  writeFileSync(
    PAGE,
    readFileSync(PAGE, 'utf8').replace(
      PLACE,
      (_, start: string, _old, end: string) => start + settingsTable() + end
    )
  )
}
