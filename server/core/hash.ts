// SHA-256 digests, and the hash that stands for a user id.

import { hash } from 'node:crypto'

export const sha256 = (data: string | Uint8Array): Buffer => hash('sha256', data, 'buffer')

/**
 * Names a user in log lines and in the audit log, where the id itself may be an address: the first 16 hex digits of
 * sha256(client id, NUL, user id).
 */
export const digestUserId = (envId: string, userId: string): string =>
  sha256(`${envId}\0${userId}`).toString('hex', 0, 8)
