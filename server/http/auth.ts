// Authenticates requests: HTTP Basic in the forms that legacy clients send, and the bearer token of operators.

import { isUtf8 } from 'node:buffer'
import { createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto'

import { environmentSettings, type Environment } from '../config/environment-settings.ts'
import { sha256 } from '../core/hash.ts'

/** Compares digests, so that the time taken depends on neither content nor length. */
const equal = (a: string | Uint8Array, b: string | Uint8Array): boolean =>
  timingSafeEqual(sha256(a), sha256(b))

/** base64(HMAC-SHA256(client secret, user id)), as back ends compute it. */
export const userHash = (secret: string, userId: string): string =>
  createHmac('sha256', secret).update(userId).digest('base64')

/**
 * Checks the user hash of a front end. A request without a hash (or with the text `undefined`, which some clients send) passes
 * only if secure mode is off. A wrong hash never passes.
 *
 * @returns the client secret that the hash was made with, `''` if no hash was needed and none was sent, or undefined for a wrong
 *   hash. {@link isProofValid} checks later whether the result is still valid.
 */
export function findProof(environment: Environment, userId: string, claimed: string): string | undefined {
  // Some encoders wrap lines, and a `+` that is not encoded in a query arrives as a space.
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

/** @returns whether a result of {@link findProof} is still valid, after changes of secrets and secure mode */
export const isProofValid = (environment: Environment | undefined, proof: string): boolean =>
  environment !== undefined &&
  (proof === '' ? !environment.settings.secureMode : environment.secrets.includes(proof))

/**
 * base64(SHA-256(secret + user id)), as one legacy server SDK computes it. It is open to length extension: the owner of one hash
 * can compute that of a longer id. So it counts only if the environment allows it, or if secure mode is off.
 */
const plainUserHash = (secret: string, userId: string): string => hash('sha256', secret + userId, 'base64')

/** Used for unknown environments, so that the time taken does not tell whether an environment exists. */
const unguessable = randomBytes(32).toString('hex')
const unknownEnvironment: Environment = {
  id: '',
  secret: unguessable,
  secrets: [unguessable],
  settings: environmentSettings.parse({})
}

interface Token {
  readonly clientId: string
  /** Bytes after the first colon. Their text encoding depends on the client. */
  readonly rest: Buffer
}

/** Reads the client id of Basic credentials without checking them. */
export const readClientId = (header: string | undefined): string | undefined => basicToken(header)?.clientId

function basicToken(header: string | undefined): Token | undefined {
  const [, base64] = /^basic +([A-Za-z0-9+/_=-]+) *$/i.exec(header ?? '') ?? []
  if (base64 === undefined) return undefined
  const bytes = Buffer.from(base64, 'base64')
  const colon = bytes.indexOf(0x3a)
  return colon < 0
    ? undefined
    : { clientId: bytes.toString('utf8', 0, colon), rest: bytes.subarray(colon + 1) }
}

/** @returns whether the header holds `clientId:clientSecret` of this environment */
export function isBackEnd(
  header: string | undefined,
  clientId: string,
  found: Environment | undefined
): boolean {
  const token = basicToken(header)
  const given = sha256(token?.rest ?? '')
  const right =
    digestsOf(found ?? unknownEnvironment).filter(digest => timingSafeEqual(digest, given)).length > 0
  return right && found !== undefined && token?.clientId === clientId
}

const secretDigests = new WeakMap<Environment, readonly Buffer[]>()

/** Digests of the secrets, computed once as long as the environment is cached: each send compares with them. */
function digestsOf(environment: Environment): readonly Buffer[] {
  const digests = secretDigests.get(environment) ?? environment.secrets.map(secret => sha256(secret))
  secretDigests.set(environment, digests)
  return digests
}

export interface AuthenticatedUser {
  readonly userId: string
  /** See {@link findProof}; `''` if secure mode is off and the id alone was sent. */
  readonly proof: string
}

/**
 * Returns the user of the credentials, if they match the user id of the path. A user id may contain colons, so the token is read
 * against the path: the id must be followed by nothing, a colon, or a colon and the hash.
 *
 * @param pathId - the user id of the path, where `+` may mean a space (form encoding of two server SDKs); undefined if the path
 *   has none, and the token alone names the user
 */
export function authenticateUser(
  header: string | undefined,
  clientId: string,
  pathId: string | undefined,
  found: Environment | undefined
): AuthenticatedUser | undefined {
  const token = basicToken(header)
  const environment = found ?? unknownEnvironment
  const candidates = pathId === undefined ? tokenUserIds(token?.rest) : pathIdVariants(pathId)
  let user: AuthenticatedUser | undefined
  for (const candidate of candidates) {
    const given = hashAfter(candidate, token?.rest)
    const proof = findProof(environment, candidate, given ?? '')
    if (proof !== undefined && given !== undefined) user ??= { proof, userId: candidate }
  }
  return found !== undefined && token?.clientId === clientId ? user : undefined
}

const pathIdVariants = (pathId: string): string[] =>
  pathId.includes('+') ? [pathId, pathId.replaceAll('+', ' ')] : [pathId]

/**
 * Returns the user ids that `userId:hash` may contain. The colon before the hash is required, also if the hash is empty: without
 * it, the text could be the client secret of a back end.
 */
function tokenUserIds(rest: Buffer | undefined): string[] {
  const colon = rest?.lastIndexOf(0x3a) ?? -1
  if (rest === undefined || colon < 0) return []
  const id = rest.subarray(0, colon)
  return isUtf8(id) ? [id.toString('utf8'), id.toString('latin1')] : [id.toString('latin1')]
}

/** Returns the text after the user id. `btoa()` encodes ids as Latin-1, server SDKs as UTF-8; both are accepted. */
function hashAfter(userId: string, rest: Buffer | undefined): string | undefined {
  if (rest === undefined) return undefined
  for (const encoding of ['utf8', 'latin1'] as const) {
    const id = Buffer.from(userId, encoding)
    // Characters beyond Latin-1 would become other characters.
    if (encoding === 'latin1' && id.toString('latin1') !== userId) continue
    if (!rest.subarray(0, id.length).equals(id)) continue
    if (rest.length === id.length) return ''
    if (rest[id.length] === 0x3a) return rest.toString('latin1', id.length + 1)
  }
  return undefined
}

/** @param tokenHash - sha256 of the admin token; undefined refuses every token */
export function isAdmin(header: string | undefined, tokenHash: Buffer | undefined): boolean {
  const [, token] = /^bearer +(\S+) *$/i.exec(header ?? '') ?? []
  return token !== undefined && timingSafeEqual(sha256(token), tokenHash ?? randomBytes(32))
}
