// Environments as rows, their secrets encrypted, and a cache of them that every request goes through.

import {
  environmentSettings,
  type Environment,
  type Environments,
  type EnvironmentSettings
} from '../config/environment.ts'
import type { Clock } from '../core/clock.ts'
import { createTtlCache, NEVER, SECONDS } from '../core/ttl-cache.ts'
import type { Db, Json, Query, Tx } from '../db/db.ts'
import { coalesce } from './coalesce.ts'
import type { Encryption } from './encryption/encryption.ts'

/** Client ids are short; longer ones are not asked for. */
const ID_LIMIT = 255

interface Known extends Environment {
  /** Milliseconds: until then the second secret counts. */
  readonly until: number | undefined
}

/** Environments of one installation; what another node changes arrives within seconds, and what it makes at once. */
export function openEnvironments(db: Db, encryption: Encryption, clock: Clock = Date.now): Environments {
  const readRow = coalesce((ids: readonly string[]) => readRows(db, ids))
  const cache = createTtlCache(
    async (id): Promise<Known | undefined> => {
      const row = await readRow(id)
      return row && toKnown(row, encryption)
    },
    known => (known ? SECONDS : NEVER),
    clock
  )
  return {
    forget: cache.forget,
    async get(id) {
      if (id.length > ID_LIMIT || id.includes('\0')) return undefined
      const known = await cache.get(id)
      if (known?.until === undefined || clock() < known.until) return known
      return { ...known, secrets: [known.secret] }
    }
  }
}

interface Row {
  readonly id: string
  readonly secret: Buffer
  readonly previous: Buffer | null
  readonly until: Date | null
  readonly settings: Json
}

async function readRows(db: Db, ids: readonly string[]): Promise<ReadonlyMap<string, Row>> {
  const rows = await db.control<Row[]>`
    select id, secret, previous_secret as previous, previous_until as until, settings
    from environments where id = any(${ids as string[]}::text[]) and deleted_at is null`
  return new Map(rows.map(row => [row.id, row]))
}

function toKnown({ id, previous, settings, until, ...row }: Row, encryption: Encryption): Known {
  const secret = encryption.decrypt(row.secret, id)
  return {
    id,
    secret,
    secrets: previous ? [secret, encryption.decrypt(previous, id)] : [secret],
    settings: environmentSettings.parse(settings),
    until: until?.getTime()
  }
}

/** What is known of an environment beside its secrets. */
export interface Listed {
  readonly id: string
  readonly settings: EnvironmentSettings
  readonly createdAt: Date
  readonly updatedAt: Date
  /** Until when the secret before counts; null: it does not. */
  readonly previousUntil: Date | null
}

type ListedRow = Omit<Listed, 'settings'> & { readonly settings: Json }

const toListed = ({ settings, ...row }: ListedRow): Listed => ({
  ...row,
  settings: environmentSettings.parse(settings)
})

const columns = (query: Query) =>
  query`
    id, settings, created_at as "createdAt", updated_at as "updatedAt",
    case when previous_until > now() then previous_until end as "previousUntil"`

/** By id. @param after - the last one of the page before */
export async function listEnvironments(db: Db, after: string, limit: number): Promise<Listed[]> {
  const rows = await db.control<ListedRow[]>`
    select ${columns(db.control)} from environments
    where id > ${after} and deleted_at is null order by id limit ${limit}`
  return rows.map(toListed)
}

export async function readEnvironment(query: Query, id: string): Promise<Listed | undefined> {
  const [row] = await query<ListedRow[]>`
    select ${columns(query)} from environments where id = ${id} and deleted_at is null`
  return row && toListed(row)
}

/** The secret as it is now. */
export async function readSecret(db: Db, encryption: Encryption, id: string): Promise<string | undefined> {
  const [row] = await db.control<{ secret: Buffer }[]>`
    select secret from environments where id = ${id} and deleted_at is null`
  return row && encryption.decrypt(row.secret, id)
}

/** @returns undefined where there is one of this id already; it stays as it is */
export async function insertEnvironment(
  query: Query,
  encryption: Encryption,
  { id, secret, settings }: Omit<Environment, 'secrets'>
): Promise<Listed | undefined> {
  const [row] = await query<ListedRow[]>`
    insert into environments (id, secret, settings)
    values (${id}, ${encryption.encrypt(secret, id)}, ${query.json(settings)})
    on conflict (id) do nothing returning ${columns(query)}`
  return row && toListed(row)
}

/** @param change - of the settings as they are, while nobody else changes them */
export async function changeSettings(
  tx: Tx,
  id: string,
  change: (settings: EnvironmentSettings) => EnvironmentSettings
): Promise<Listed | undefined> {
  const [found] = await tx<{ settings: Json }[]>`
    select settings from environments where id = ${id} and deleted_at is null for update`
  if (!found) return undefined
  const settings = change(environmentSettings.parse(found.settings))
  const [row] = await tx<ListedRow[]>`
    update environments set settings = ${tx.json(settings)}, updated_at = now()
    where id = ${id} returning ${columns(tx)}`
  return toListed(row!)
}

/** @param grace - seconds in which the secret of now goes on; an earlier one ends */
export async function changeSecret(
  tx: Tx,
  encryption: Encryption,
  { id, secret, grace }: { readonly id: string; readonly secret: string; readonly grace: number }
): Promise<Listed | undefined> {
  const [row] = await tx<ListedRow[]>`
    update environments set secret = ${encryption.encrypt(secret, id)}, updated_at = now(),
      previous_secret = case when ${grace} > 0 then secret end,
      previous_until = case when ${grace} > 0 then now() + ${grace} * interval '1 second' end
    where id = ${id} and deleted_at is null returning ${columns(tx)}`
  return row && toListed(row)
}

/** From now on nobody finds it; house-keeping deletes what it held. @returns whether there was one */
export async function markDeleted(db: Db, id: string): Promise<boolean> {
  const gone = await db.control`
    update environments set deleted_at = now() where id = ${id} and deleted_at is null`
  return gone.count === 1
}

export interface FirstEnvironment {
  readonly id: string
  readonly secret: string
  /** Undefined: as it is. */
  readonly secureMode: boolean | undefined
  /** Empty: as they are. */
  readonly origins: readonly string[]
}

/** Makes the environment that the configuration names, or brings it up to date; its other settings stay. */
export async function ensureEnvironment(
  db: Db,
  encryption: Encryption,
  first: FirstEnvironment
): Promise<void> {
  const named = {
    ...(first.origins.length > 0 && { origins: [...first.origins] }),
    ...(first.secureMode !== undefined && { secureMode: first.secureMode })
  }
  await db.control`
    insert into environments (id, secret, settings)
    values (${first.id}, ${encryption.encrypt(first.secret, first.id)}, ${db.control.json(named)})
    on conflict (id) do update set secret = excluded.secret,
      settings = environments.settings || excluded.settings`
}

/** Encrypts every secret with the key of now, in the transaction that makes it the key. */
export async function reencryptEnvironments(tx: Tx, encryption: Encryption): Promise<void> {
  const rows = await tx<{ id: string; secret: Buffer; previous: Buffer | null }[]>`
    select id, secret, previous_secret as previous from environments order by id for update`
  for (const { id, secret, previous } of rows) {
    const again = (sealed: Buffer): Buffer => encryption.encrypt(encryption.decrypt(sealed, id), id)
    await tx`
      update environments set secret = ${again(secret)}, previous_secret = ${previous && again(previous)}
      where id = ${id}`
  }
}
