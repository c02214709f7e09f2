// Who wants to listen: a hello from the wire, checked against its environment.

import { z } from 'zod'

import { PROTOCOL_VERSION } from '#protocol'

import type { Environment, Environments } from '../../config/environment.ts'
import { userId } from '../../core/contact.ts'
import { bucketOf, type UserKey } from '../../core/id.ts'
import { safeParse } from '../../core/safe-parse.ts'
import { proofOf } from '../../http/auth.ts'
import { isAllowedOrigin } from '../../http/cors.ts'

/** `userHash` may be null or missing, and `protocol` too: any Socket.IO client can say this much. */
const hello = z.object({
  clientId: z.string().min(1).max(255),
  protocol: z.number().int().min(1).default(PROTOCOL_VERSION),
  userHash: z.string().max(255).nullish(),
  userId,
  version: z.number().int().min(0).max(Number.MAX_SAFE_INTEGER).nullish()
})

export interface Session extends UserKey {
  readonly environment: Environment
  readonly version: number | undefined
  /** What let it in: see {@link proofOf}. */
  readonly proof: string
}

export interface Refusal {
  readonly title: string
  readonly detail: string
}

const REFUSALS = {
  credentials: {
    detail: 'There is no such environment, or the user hash is not that of this user.',
    title: 'The credentials are missing or wrong.'
  },
  malformed: {
    detail: 'Expected clientId, userId, userHash and protocol.',
    title: 'The hello does not fit the schema.'
  },
  newer: {
    detail: `This server speaks protocol ${PROTOCOL_VERSION}.`,
    title: 'The client is newer than the server.'
  },
  origin: {
    detail: 'The environment does not list the origin of this page.',
    title: 'Pages of this origin may not connect.'
  }
} as const satisfies Readonly<Record<string, Refusal>>

/**
 * @param origin - of the page; native clients have none
 * @throws what the database throws: nothing is known about the credentials then
 */
export async function receive(
  environments: Environments,
  said: unknown,
  origin: string | undefined
): Promise<Session | Refusal> {
  const read = safeParse(hello, said)
  if (!read.success) return REFUSALS.malformed
  const { clientId, protocol, userHash, userId, version } = read.data
  if (protocol > PROTOCOL_VERSION) return REFUSALS.newer
  const environment = await environments.get(clientId)
  const proof = environment && proofOf(environment, userId, userHash ?? '')
  if (!environment || proof === undefined) return REFUSALS.credentials
  if (origin !== undefined && !isAllowedOrigin(environment.settings, origin)) return REFUSALS.origin
  return {
    bucket: bucketOf(clientId, userId),
    envId: clientId,
    environment,
    proof,
    userId,
    version: version ?? undefined
  }
}

export const isRefusal = (answer: Session | Refusal): answer is Refusal => 'title' in answer
