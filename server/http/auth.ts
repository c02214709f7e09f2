// Who is calling: HTTP Basic in the shapes that existing clients send (spec/wire.md 2), and the operator's bearer token.

import { isUtf8 } from 'node:buffer'
import { createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto'

import { environmentSettings, type Environment } from '../config/environment.ts'

export const sha256 = (data: string | Uint8Array): Buffer => hash('sha256', data, 'buffer')

/** Compares digests, so that neither content nor length shows in the time taken. */
const equal = (a: string | Uint8Array, b: string | Uint8Array): boolean =>
  timingSafeEqual(sha256(a), sha256(b))

/** base64(HMAC-SHA256(client secret, user id)), as back-ends compute it. */
export const userHash = (secret: string, userId: string): string =>
  createHmac('sha256', secret).update(userId).digest('base64')

/**
 * What a front end proves a user with, so that it can be asked later whether that still counts ({@link isProof}). No hash
 * (or the word `undefined`, which some clients send) passes only where secure mode is off; a wrong hash never does.
 *
 * @returns the secret of the hash, `''` where none is needed and none was sent, undefined for a wrong one
 */
export function proofOf(environment: Environment, userId: string, claimed: string): string | undefined {
  // Line ends come from encoders that wrap, spaces from `+` in a query that nobody encoded.
  const given = claimed.trim().replaceAll(' ', '+')
  const { legacyUserHash, secureMode } = environment.settings
  let proof: string | undefined
  for (const secret of environment.secrets) {
    if (equal(userHash(secret, userId), given)) proof ??= secret
    if (legacyUserHash && equal(plainUserHash(secret, userId), given)) proof ??= secret
    if (!secureMode && equal(plainUserHash(secret, userId), given)) proof ??= ''
  }
  if (given !== '' && given !== 'undefined') return proof
  return secureMode ? undefined : ''
}

/** Whether what a front end proved itself with still counts. */
export const isProof = (environment: Environment | undefined, proof: string): boolean =>
  environment !== undefined &&
  (proof === '' ? !environment.settings.secureMode : environment.secrets.includes(proof))

/**
 * base64(SHA-256(secret + user id)), as one server SDK computes it: who has one hash can make that of a longer id. So it
 * proves nothing unless an environment says so, and does no harm where nothing needs to be proven.
 */
const plainUserHash = (secret: string, userId: string): string => hash('sha256', secret + userId, 'base64')

/** Stands in for an environment that does not exist, so that asking for one takes as long. */
const unguessable = randomBytes(32).toString('hex')
const nobody: Environment = {
  id: '',
  secret: unguessable,
  secrets: [unguessable],
  settings: environmentSettings.parse({})
}

interface Token {
  readonly clientId: string
  /** Everything after the first colon, as bytes: which text they are depends on the client. */
  readonly rest: Buffer
}

/** The client id of Basic credentials, unproven. */
export const clientIdOf = (header: string | undefined): string | undefined => basicToken(header)?.clientId

function basicToken(header: string | undefined): Token | undefined {
  const [, base64] = /^basic +([A-Za-z0-9+/_=-]+) *$/i.exec(header ?? '') ?? []
  if (base64 === undefined) return undefined
  const bytes = Buffer.from(base64, 'base64')
  const colon = bytes.indexOf(0x3a)
  return colon < 0
    ? undefined
    : { clientId: bytes.toString('utf8', 0, colon), rest: bytes.subarray(colon + 1) }
}

/** Whether the header is `clientId:secret` of this environment. */
export function isBackEnd(
  header: string | undefined,
  clientId: string,
  found: Environment | undefined
): boolean {
  const token = basicToken(header)
  const given = token?.rest ?? ''
  const right = (found ?? nobody).secrets.filter(secret => equal(secret, given)).length > 0
  return right && found !== undefined && token?.clientId === clientId
}

export interface Claim {
  readonly userId: string
  /** By a hash; otherwise the bare id was enough. */
  readonly proven: boolean
}

/**
 * The user whose credentials these are, if they fit the user id of the path. The id may hold colons, so the token is
 * read against the path: what follows the id must be nothing, a colon, or a colon and the hash.
 *
 * @param pathId - as in the path; `+` may stand for a space there (form encoding of two server SDKs). Undefined where the
 *   path names nobody: then it is the user of the token
 */
export function userOf(
  header: string | undefined,
  clientId: string,
  pathId: string | undefined,
  found: Environment | undefined
): Claim | undefined {
  const token = basicToken(header)
  const environment = found ?? nobody
  const candidates = pathId === undefined ? namesIn(token?.rest) : readingsOf(pathId)
  let user: Claim | undefined
  for (const candidate of candidates) {
    const given = hashAfter(candidate, token?.rest)
    const proof = proofOf(environment, candidate, given ?? '')
    if (proof !== undefined && given !== undefined) user ??= { proven: proof !== '', userId: candidate }
  }
  return found !== undefined && token?.clientId === clientId ? user : undefined
}

const readingsOf = (pathId: string): string[] =>
  pathId.includes('+') ? [pathId, pathId.replaceAll('+', ' ')] : [pathId]

/**
 * Who `userId:hash` may mean. The colon before the hash is never left out, empty as the hash may be: without it this
 * could be the secret of a back end.
 */
function namesIn(rest: Buffer | undefined): string[] {
  const colon = rest?.lastIndexOf(0x3a) ?? -1
  if (rest === undefined || colon < 0) return []
  const id = rest.subarray(0, colon)
  return isUtf8(id) ? [id.toString('utf8'), id.toString('latin1')] : [id.toString('latin1')]
}

/** btoa() makes Latin-1 of what server SDKs send as UTF-8: both readings of the id count. */
function hashAfter(userId: string, rest: Buffer | undefined): string | undefined {
  if (rest === undefined) return undefined
  for (const encoding of ['utf8', 'latin1'] as const) {
    const id = Buffer.from(userId, encoding)
    // Letters beyond Latin-1 would be cut to other letters.
    if (encoding === 'latin1' && id.toString('latin1') !== userId) continue
    if (!rest.subarray(0, id.length).equals(id)) continue
    if (rest.length === id.length) return ''
    if (rest[id.length] === 0x3a) return rest.toString('latin1', id.length + 1)
  }
  return undefined
}

/** @param tokenHash - sha256 of the admin token; undefined: there is none, and nobody is the operator */
export function isAdmin(header: string | undefined, tokenHash: Buffer | undefined): boolean {
  const [, token] = /^bearer +(\S+) *$/i.exec(header ?? '') ?? []
  return timingSafeEqual(sha256(token ?? ''), tokenHash ?? randomBytes(32))
}
