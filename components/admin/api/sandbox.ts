// Messages that the sandbox keeps.

import type { Answer } from './client.ts'
import type { AdminScope } from './scope.ts'

/** With the fields of its channel, such as `subject` and `html` of an email. */
export interface SandboxMessage {
  readonly id: string
  readonly trackingId: string
  readonly type: string
  readonly channel: string
  readonly userId: string
  readonly date: string
  readonly to?: readonly string[] | string
  readonly subject?: string
  readonly title?: string
  readonly message?: string
  readonly text?: string
  readonly html?: string
}

export const listSandbox = (
  { api }: AdminScope,
  after: string | null,
  signal: AbortSignal
): Promise<Answer<{ readonly messages: readonly SandboxMessage[]; readonly next?: string }>> =>
  api.get('/sandbox/messages', { query: { count: 50, cursor: after ?? undefined }, signal })
