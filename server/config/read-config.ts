// Reads settings from the environment, and collects every problem: wrong values, unknown names and removed settings.

import { readFileSync } from 'node:fs'

import { editDistance, nearestName } from '../core/did-you-mean.ts'
import type { Setting } from './parse.ts'
import { REMOVED_SETTINGS } from './removed-settings.ts'

export interface SettingProblem {
  readonly env: string
  readonly detail: string
}

export type Environ = Readonly<Record<string, string | undefined>>
export type Table = Readonly<Record<string, Setting<unknown>>>

export interface ReadSettings {
  readonly values: Readonly<Record<string, unknown>>
  readonly problems: readonly SettingProblem[]
}

export function readSettings(table: Table, env: Environ): ReadSettings {
  const problems: SettingProblem[] = [...unknownNames(table, env)]
  const values: Record<string, unknown> = {}
  for (const [name, { env: key, parse, secret }] of Object.entries(table)) {
    try {
      const parsed = parse.safeParse(secret ? readSecret(key, env) : nonEmpty(env[key]))
      if (parsed.success) values[name] = parsed.data
      else problems.push({ detail: parsed.error.issues.map(issue => issue.message).join(' '), env: key })
    } catch (error) {
      problems.push({ detail: (error as Error).message, env: `${key}_FILE` })
    }
  }
  return { problems, values }
}

/** An empty variable counts as not set, as in shells and compose files. */
const nonEmpty = (value: string | undefined): string | undefined => (value === '' ? undefined : value)

/** A secret comes from its variable, or from the file that `<key>_FILE` names, because orchestrators mount secrets as files. */
function readSecret(key: string, env: Environ): string | undefined {
  const path = nonEmpty(env[`${key}_FILE`])
  const direct = nonEmpty(env[key])
  if (path === undefined) return direct
  if (direct !== undefined) throw new Error(`Set either ${key} or ${key}_FILE, not both.`)
  return readFileSync(path, 'utf8').trim()
}

function unknownNames(table: Table, env: Environ): SettingProblem[] {
  const names = Object.values(table).flatMap(({ env: key, secret }) =>
    secret ? [key, `${key}_FILE`] : [key]
  )
  return Object.keys(env)
    .filter(key => key.startsWith('NOTIF_') && !names.includes(key))
    .map(key => {
      const detail =
        REMOVED_SETTINGS[key] ?? `There is no such setting. Did you mean ${suggestName(key, names)}?`
      return { detail, env: key }
    })
}

/** NOTIF_PORT means PORT, one wrong letter is a typo, NOTIF_SMTP begins NOTIF_SMTP_URL; otherwise the nearest name. */
function suggestName(key: string, names: readonly string[]): string {
  const nearest = nearestName(key, names)
  return (
    names.find(name => key === `NOTIF_${name}`) ??
    (editDistance(key, nearest) === 1 ? nearest : names.find(name => name.startsWith(`${key}_`))) ??
    nearest
  )
}
