// The types that sends ask for, by environment and id.

import type { Clock } from '../core/clock.ts'
import { openRecent, SECONDS, type Life } from '../core/ttl-cache.ts'
import type { NotificationType } from './type.ts'

/** A type that is not there may be made on another node at any moment, and a send is waiting for it. */
const ABSENT: Life = { fresh: 200, usable: 200 }
/** Longer ids than this are not asked for. */
const ID_LIMIT = 255

type Found = NotificationType | undefined

export interface TypeCache {
  get(envId: string, id: string): Promise<Found>
  /** One type, or all of an environment. */
  forget(envId: string, id?: string): void
}

export function createTypeCache(
  read: (envId: string, id: string) => Promise<Found>,
  clock: Clock
): TypeCache {
  const recent = openRecent<NotificationType>(
    key => {
      const end = key.indexOf('\0')
      return read(key.slice(0, end), key.slice(end + 1))
    },
    type => (type ? SECONDS : ABSENT),
    clock
  )
  return {
    forget(envId, id) {
      if (id === undefined) recent.forgetAll(keyOf(envId, ''))
      else recent.forget(keyOf(envId, id))
    },
    get: async (envId, id) =>
      id.length > ID_LIMIT || id.includes('\0') ? undefined : recent.get(keyOf(envId, id))
  }
}

const keyOf = (envId: string, id: string): string => `${envId}\0${id}`
