// Existing clients on the plain endpoint: what they say of themselves stands in their query.

import { once } from 'node:events'

import { userHash } from '../../../server/http/auth.ts'
import { type Node, plainClient, SECRET, until } from './test-node.ts'

export const query = (userId: string, hash = userHash(SECRET, userId)): string =>
  `userId=${encodeURIComponent(userId)}&envId=env&userIdHash=${encodeURIComponent(hash)}`

export async function join(node: Node, userId: string, path = '/') {
  const before = node.live.connectionCount()
  const client = plainClient(node, `${path}?${query(userId)}`)
  await Promise.all([once(client.socket, 'open'), until(() => node.live.connectionCount() === before + 1)])
  return client
}
