// Messages that the sandbox keeps.

import type { Answer } from './client.ts'
import type { AdminScope } from './scope.ts'

export interface SandboxMessage {
  readonly id: string
  readonly trackingId: string
  readonly type: string
  readonly channel: string
  readonly userId: string
  readonly date: string
  readonly subject?: string
  readonly title?: string
  readonly message?: string
}

export const listSandbox = (
  { api }: AdminScope,
  after: string | null,
  signal: AbortSignal
): Promise<Answer<{ readonly messages: readonly SandboxMessage[]; readonly next?: string }>> =>
  api.get('/sandbox/messages', { query: { count: 50, cursor: after ?? undefined }, signal })
