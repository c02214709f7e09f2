// Environments as rows, and a cache of them that every request goes through.

import type { Clock } from '../clock.ts'
import type { Db, Json } from '../db/sql.ts'
import { openRecent, SECONDS } from '../recent.ts'
import { environmentSettings, type Environment, type Environments } from './environment.ts'

/** Client ids are short; longer ones are not asked for. */
const ID_LIMIT = 255

/** Environments of one installation; what another node changes arrives within seconds. */
export function openEnvironments(db: Db, clock: Clock = Date.now): Environments {
  const recent = openRecent(
    id => readEnvironment(db, id),
    () => SECONDS,
    clock
  )
  return {
    forget: recent.forget,
    get: async id => (id.length > ID_LIMIT || id.includes('\0') ? undefined : recent.get(id)),
    async put({ id, secret, settings }) {
      const parsed = environmentSettings.parse(settings)
      await db.control`
        insert into environments (id, secret, settings) values (${id}, ${secret}, ${db.control.json(parsed)})
        on conflict (id) do update set secret = excluded.secret, settings = excluded.settings`
      recent.forget(id)
    }
  }
}

async function readEnvironment(db: Db, id: string): Promise<Environment | undefined> {
  const [row] = await db.control<{ secret: string; settings: Json }[]>`
    select secret, settings from environments where id = ${id}`
  return row && { id, secret: row.secret, settings: environmentSettings.parse(row.settings) }
}

export interface FirstEnvironment {
  readonly id: string
  readonly secret: string
  readonly secureMode: boolean
  /** Empty: any. */
  readonly origins: readonly string[]
}

/** @returns false where there is one of this id already; it stays as it is */
export async function addEnvironment(
  db: Db,
  { id, secret }: Pick<Environment, 'id' | 'secret'>
): Promise<boolean> {
  const added = await db.control`
    insert into environments (id, secret) values (${id}, ${secret}) on conflict (id) do nothing`
  return added.count === 1
}

/** Makes the environment that the configuration names, or brings it up to date; its other settings stay. */
export async function ensureEnvironment(db: Db, first: FirstEnvironment): Promise<void> {
  const named = {
    origins: first.origins.length > 0 ? [...first.origins] : ['*'],
    secureMode: first.secureMode
  }
  await db.control`
    insert into environments (id, secret, settings) values (${first.id}, ${first.secret}, ${db.control.json(named)})
    on conflict (id) do update set secret = excluded.secret, settings = environments.settings || excluded.settings`
}
