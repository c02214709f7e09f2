// The handshake of a socket: its first frame is parsed and checked against the environment.

import { z } from 'zod'

import { PROTOCOL_VERSION } from '#protocol'

import type { Environment, Environments } from '../../config/environment-settings.ts'
import { userId } from '../../core/contact.ts'
import { bucketOf, type UserKey } from '../../core/id.ts'
import { safeParse } from '../../core/safe-parse.ts'
import { findProof } from '../../http/auth.ts'
import { isAllowedOrigin } from '../../http/cors.ts'
import { Problem } from '../../http/problem.ts'
import type { RateLimit } from '../../http/rate-limits.ts'

/** `userHash` and `protocol` may be missing, so that any Socket.IO client can send this. */
const handshake = z.object({
  clientId: z.string().min(1).max(255),
  protocol: z.number().int().min(1).default(PROTOCOL_VERSION),
  userHash: z.string().max(255).nullish(),
  userId,
  version: z.number().int().min(0).max(Number.MAX_SAFE_INTEGER).nullish()
})

/** The user who is authenticated on a socket. */
export interface Session extends UserKey {
  readonly environment: Environment
  /** Inbox version of the client; undefined if it has none. */
  readonly version: number | undefined
  /** Fingerprint of the accepted credential: see {@link findProof}. */
  readonly credential: string
}

export interface Rejection {
  readonly title: string
  readonly detail: string
}

const REJECTIONS = {
  credentials: {
    detail: 'The environment does not exist, or the user hash does not belong to this user.',
    title: 'The credentials are missing or wrong.'
  },
  malformed: {
    detail: 'Expected clientId, userId, userHash and protocol.',
    title: 'The handshake does not match the schema.'
  },
  newer: {
    detail: `This server supports protocol ${PROTOCOL_VERSION}. Update the server.`,
    title: 'The client is newer than the server.'
  },
  origin: {
    detail: 'Add the origin of this page to the origins of the environment.',
    title: 'The origin of this page is not allowed.'
  }
} as const satisfies Readonly<Record<string, Rejection>>

/** Where a handshake comes from. */
export interface HandshakeSource {
  /** See `addressKey`. */
  readonly address: string
  /** Of the page; undefined for native clients. */
  readonly origin: string | undefined
}

export interface HandshakeChecks {
  readonly environments: Environments
  /** Counts wrong credentials against their address. */
  readonly addressLimit: RateLimit
}

/**
 * @returns undefined if the credentials are wrong and too many wrong ones came from this address: the client may try again later
 * @throws database errors: the credentials could not be checked
 */
export async function checkHandshake(
  { addressLimit, environments }: HandshakeChecks,
  frame: unknown,
  { address, origin }: HandshakeSource
): Promise<Session | Rejection | undefined> {
  const parsed = safeParse(handshake, frame)
  if (!parsed.success) return REJECTIONS.malformed
  const { clientId, protocol, userHash, userId, version } = parsed.data
  if (protocol > PROTOCOL_VERSION) return REJECTIONS.newer
  const environment = await environments.get(clientId)
  const credential = environment && findProof(environment, userId, userHash ?? '')
  if (!environment || credential === undefined) {
    return (await isWithinLimit(addressLimit, address)) ? REJECTIONS.credentials : undefined
  }
  if (origin !== undefined && !isAllowedOrigin(environment.settings, origin)) return REJECTIONS.origin
  return {
    bucket: bucketOf(clientId, userId),
    credential,
    envId: clientId,
    environment,
    userId,
    version: version ?? undefined
  }
}

async function isWithinLimit(limit: RateLimit, address: string): Promise<boolean> {
  try {
    await limit.take(address)
    return true
  } catch (error) {
    if (error instanceof Problem) return false
    throw error
  }
}

export const isRejection = (result: Session | Rejection): result is Rejection => 'title' in result
