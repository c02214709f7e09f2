// Legacy clients on the plain endpoint: their handshake is in the query.

import { once } from 'node:events'

import { userHash } from '../../../server/http/auth.ts'
import { type Node, plainClient, SECRET, until } from './test-node.ts'

export const legacyQuery = (userId: string, hash = userHash(SECRET, userId)): string =>
  `userId=${encodeURIComponent(userId)}&envId=env&userIdHash=${encodeURIComponent(hash)}`

export async function connectLegacyClient(node: Node, userId: string, path = '/') {
  const before = node.live.connectionCount()
  const client = plainClient(node, `${path}?${legacyQuery(userId)}`)
  await Promise.all([once(client.socket, 'open'), until(() => node.live.connectionCount() === before + 1)])
  return client
}
