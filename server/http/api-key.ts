// API keys as requests carry them: their form, their hash, and the check of their scopes.

import { randomBytes } from 'node:crypto'

import { sha256 } from '../core/hash.ts'
import { Problem } from './problem.ts'
import type { Route } from './route.ts'
import { scopesOf, type Scope } from './scopes.ts'

/** A valid key of an environment. */
export interface ApiKey {
  readonly envId: string
  readonly name: string
  readonly scopes: readonly Scope[]
}

export interface ApiKeys {
  /** @returns undefined if no key has this hash, or if it is revoked or expired */
  find(keyHash: Buffer): Promise<ApiKey | undefined>
}

/** Says to people and to scanners of leaked secrets what the text is. */
const PREFIX = 'nk_'
const RANDOM_BYTES = 32
const SHOWN_CHARACTERS = 8

export interface NewKeyText {
  readonly text: string
  /** First characters, by which people recognize the key. */
  readonly start: string
  readonly hash: Buffer
}

export function createKeyText(): NewKeyText {
  const text = PREFIX + randomBytes(RANDOM_BYTES).toString('base64url')
  return { hash: sha256(text), start: text.slice(0, SHOWN_CHARACTERS), text }
}

/** Returns the hash of the API key of a header: `Bearer key` or `Basic base64(clientId:key)`. Undefined: the header has none. */
export function readKeyHash(header: string | undefined): Buffer | undefined {
  const [, scheme, credentials = ''] = /^(basic|bearer) +(\S+) *$/i.exec(header ?? '') ?? []
  if (scheme === undefined) return undefined
  const isBearer = scheme.toLowerCase() === 'bearer'
  const text = isBearer ? `:${credentials}` : Buffer.from(credentials, 'base64').toString('latin1')
  const [, key] = /^[^:]*:(nk_[\w-]{43})$/.exec(text) ?? []
  return key === undefined ? undefined : sha256(key)
}

/** @throws Problem `forbidden` if the key lacks the scope of the route */
export function checkScope({ name, scopes }: ApiKey, route: Pick<Route, 'doc' | 'method'>): void {
  const needed = scopesOf(route)
  if (scopes.some(scope => needed.includes(scope))) return
  throw new Problem(
    'forbidden',
    `The API key “${name}” has the scope ${scopes.join(', ')}. This call needs ${needed.join(' or ')}.`
  )
}
