// SQL of environments with encrypted secrets, and the cache that every request reads them from.

import {
  environmentSettings,
  type Environment,
  type Environments,
  type EnvironmentSettings
} from '../config/environment-settings.ts'
import type { Clock } from '../core/clock.ts'
import { createTtlCache, NO_CACHE, SHORT_CACHE } from '../core/ttl-cache.ts'
import type { Db, Json, Query, Tx } from '../db/db.ts'
import type { Encryption } from './encryption/encryption.ts'
import { coalesce } from './shared-reads.ts'

/** Longer ids cannot exist, so they are not looked up. */
const MAX_ID_CHARACTERS = 255

interface CachedEnvironment extends Environment {
  /** Milliseconds since 1970 until which the previous secret is valid. */
  readonly previousUntil: number | undefined
}

/** Opens the cache. Changes of other nodes arrive within seconds, new environments immediately. */
export function openEnvironments(db: Db, encryption: Encryption, clock: Clock = Date.now): Environments {
  const readRow = coalesce((ids: readonly string[]) => readRows(db, ids))
  const cache = createTtlCache(
    async (id): Promise<CachedEnvironment | undefined> => {
      const row = await readRow(id)
      return row && decryptRow(row, encryption)
    },
    environment => (environment ? SHORT_CACHE : NO_CACHE),
    clock
  )
  return {
    forget: cache.forget,
    async get(id) {
      if (id.length > MAX_ID_CHARACTERS || id.includes('\0')) return undefined
      const environment = await cache.get(id)
      if (environment?.previousUntil === undefined || clock() < environment.previousUntil) return environment
      return { ...environment, secrets: [environment.secret] }
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

function decryptRow(
  { id, previous, settings, until, ...row }: Row,
  encryption: Encryption
): CachedEnvironment {
  const secret = encryption.decrypt(row.secret, id)
  return {
    id,
    secret,
    secrets: previous ? [secret, encryption.decrypt(previous, id)] : [secret],
    settings: environmentSettings.parse(settings),
    previousUntil: until?.getTime()
  }
}

/** An environment without its secrets, for operators. */
export interface EnvironmentInfo {
  readonly id: string
  readonly settings: EnvironmentSettings
  readonly createdAt: Date
  readonly updatedAt: Date
  /** Until when the previous secret is valid; null: it is not. */
  readonly previousUntil: Date | null
}

type ListedRow = Omit<EnvironmentInfo, 'settings'> & { readonly settings: Json }

const toListed = ({ settings, ...row }: ListedRow): EnvironmentInfo => ({
  ...row,
  settings: environmentSettings.parse(settings)
})

const columns = (query: Query) =>
  query`
    id, settings, created_at as "createdAt", updated_at as "updatedAt",
    case when previous_until > now() then previous_until end as "previousUntil"`

/** Lists environments by id. @param after - last id of the previous page */
export async function listEnvironments(db: Db, after: string, limit: number): Promise<EnvironmentInfo[]> {
  const rows = await db.control<ListedRow[]>`
    select ${columns(db.control)} from environments
    where id > ${after} and deleted_at is null order by id limit ${limit}`
  return rows.map(toListed)
}

export async function readEnvironment(query: Query, id: string): Promise<EnvironmentInfo | undefined> {
  const [row] = await query<ListedRow[]>`
    select ${columns(query)} from environments where id = ${id} and deleted_at is null`
  return row && toListed(row)
}

export async function readSecret(db: Db, encryption: Encryption, id: string): Promise<string | undefined> {
  const [row] = await db.control<{ secret: Buffer }[]>`
    select secret from environments where id = ${id} and deleted_at is null`
  return row && encryption.decrypt(row.secret, id)
}

/** @returns undefined if the id exists already; its environment stays unchanged */
export async function insertEnvironment(
  query: Query,
  encryption: Encryption,
  { id, secret, settings }: Omit<Environment, 'secrets'>
): Promise<EnvironmentInfo | undefined> {
  const [row] = await query<ListedRow[]>`
    insert into environments (id, secret, settings)
    values (${id}, ${encryption.encrypt(secret, id)}, ${query.json(settings)})
    on conflict (id) do nothing returning ${columns(query)}`
  return row && toListed(row)
}

/** Changes the settings under a row lock. @param change - returns the new settings */
export async function changeSettings(
  tx: Tx,
  id: string,
  change: (settings: EnvironmentSettings) => EnvironmentSettings
): Promise<EnvironmentInfo | undefined> {
  const [found] = await tx<{ settings: Json }[]>`
    select settings from environments where id = ${id} and deleted_at is null for update`
  if (!found) return undefined
  const settings = change(environmentSettings.parse(found.settings))
  const [row] = await tx<ListedRow[]>`
    update environments set settings = ${tx.json(settings)}, updated_at = now()
    where id = ${id} returning ${columns(tx)}`
  return toListed(row!)
}

/** @param grace - seconds during which the current secret stays valid; an earlier one becomes invalid */
export async function changeSecret(
  tx: Tx,
  encryption: Encryption,
  { id, secret, grace }: { readonly id: string; readonly secret: string; readonly grace: number }
): Promise<EnvironmentInfo | undefined> {
  const [row] = await tx<ListedRow[]>`
    update environments set secret = ${encryption.encrypt(secret, id)}, updated_at = now(),
      previous_secret = case when ${grace} > 0 then secret end,
      previous_until = case when ${grace} > 0 then now() + ${grace} * interval '1 second' end
    where id = ${id} and deleted_at is null returning ${columns(tx)}`
  return row && toListed(row)
}

/** Marks an environment as deleted, so that it is no longer found. Housekeeping deletes its rows. @returns whether it existed */
export async function markDeleted(db: Db, id: string): Promise<boolean> {
  const gone = await db.control`
    update environments set deleted_at = now() where id = ${id} and deleted_at is null`
  return gone.count === 1
}

export interface FirstEnvironment {
  readonly id: string
  readonly secret: string
  /** Undefined: unchanged. */
  readonly secureMode: boolean | undefined
  /** Empty: unchanged. */
  readonly origins: readonly string[]
}

/** Creates or updates the environment of the configuration; its other settings stay unchanged. */
export async function ensureEnvironment(
  db: Db,
  encryption: Encryption,
  first: FirstEnvironment
): Promise<void> {
  const configured = {
    ...(first.origins.length > 0 && { origins: [...first.origins] }),
    ...(first.secureMode !== undefined && { secureMode: first.secureMode })
  }
  await db.control`
    insert into environments (id, secret, settings)
    values (${first.id}, ${encryption.encrypt(first.secret, first.id)}, ${db.control.json(configured)})
    on conflict (id) do update set secret = excluded.secret,
      settings = environments.settings || excluded.settings`
}

/** Encrypts every secret with the current key, in the transaction that stores the id of this key. */
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
