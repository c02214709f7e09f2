// From the environment to settings: every problem is found in one go, also names that nobody knows.

import { readFileSync } from 'node:fs'

import { editDistance, nearestName } from '../core/did-you-mean.ts'
import type { Setting } from './parse.ts'

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
      const read = parse.safeParse(secret ? fromFile(key, env) : present(env[key]))
      if (read.success) values[name] = read.data
      else problems.push({ detail: read.error.issues.map(issue => issue.message).join(' '), env: key })
    } catch (error) {
      problems.push({ detail: (error as Error).message, env: `${key}_FILE` })
    }
  }
  return { problems, values }
}

/** An empty variable is how shells and compose files say "not set". */
const present = (value: string | undefined): string | undefined => (value === '' ? undefined : value)

/** Orchestrators mount secrets as files. */
function fromFile(key: string, env: Environ): string | undefined {
  const path = present(env[`${key}_FILE`])
  const direct = present(env[key])
  if (path === undefined) return direct
  if (direct !== undefined) throw new Error(`Set either ${key} or ${key}_FILE, not both.`)
  return readFileSync(path, 'utf8').trim()
}

function unknownNames(table: Table, env: Environ): SettingProblem[] {
  const known = Object.values(table).flatMap(({ env: key, secret }) =>
    secret ? [key, `${key}_FILE`] : [key]
  )
  return Object.keys(env)
    .filter(key => key.startsWith('NOTIF_') && !known.includes(key))
    .map(key => ({ detail: `There is no such setting. Did you mean ${meantBy(key, known)}?`, env: key }))
}

/** NOTIF_PORT is PORT, one wrong letter is a slip, NOTIF_SMTP begins NOTIF_SMTP_URL, and anything else is spelt wrongly. */
function meantBy(key: string, known: readonly string[]): string {
  const close = nearestName(key, known)
  return (
    known.find(one => key === `NOTIF_${one}`) ??
    (editDistance(key, close) === 1 ? close : known.find(one => one.startsWith(`${key}_`))) ??
    close
  )
}
