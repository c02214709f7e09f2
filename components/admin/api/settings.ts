// Environments, secrets, API keys, members, sessions, audit and settings of the server: routes of operators.

import type {
  ApiKey,
  ApiKeyPage,
  ApiKeyScope,
  Environment,
  EnvironmentChange,
  EnvironmentKeys,
  EnvironmentPage,
  NewApiKey,
  NewSecret
} from '../../../server/client/environments.ts'
import type { AuditPage, Member, MemberPage } from '../../../server/client/operators.ts'
import type { ServerSettings } from '../../../server/client/queues.ts'
import { path, type Answer } from './client.ts'
import type { AdminScope } from './scope.ts'

export type { ApiKey, Environment, NewApiKey } from '../../../server/client/environments.ts'
export type { AuditEntry, AuditPage, Member } from '../../../server/client/operators.ts'
export type { ServerSettings } from '../../../server/client/queues.ts'

export const KEY_SCOPES: readonly ApiKeyScope[] = ['send', 'read', 'types', 'users', 'all']

/** Of the member who asks. */
export interface Session {
  readonly id: string
  readonly address: string
  readonly browser: string
  readonly createdAt: string
  readonly lastUsedAt: string
  readonly current: boolean
}

export const listEnvironments = (
  { operators }: AdminScope,
  signal: AbortSignal
): Promise<Answer<EnvironmentPage>> => operators.get('/environments', { query: { count: 100 }, signal })

export const createEnvironment = (
  { operators }: AdminScope,
  body: EnvironmentChange & EnvironmentKeys
): Promise<Answer<Environment & { readonly clientSecret: string }>> =>
  operators.post('/environments', { body, headers: { 'idempotency-key': crypto.randomUUID() } })

export const patchEnvironment = (
  { clientId, operators }: AdminScope,
  body: EnvironmentChange
): Promise<Answer<Environment>> => operators.patch(path`/environments/${clientId}`, { body })

export const rotateSecret = (
  { clientId, operators }: AdminScope,
  graceSeconds: number
): Promise<Answer<NewSecret>> =>
  operators.post(path`/environments/${clientId}/secret`, { body: { graceSeconds } })

export const listKeys = (
  { clientId, operators }: AdminScope,
  signal: AbortSignal
): Promise<Answer<ApiKeyPage>> =>
  operators.get(path`/environments/${clientId}/keys`, { query: { count: 200 }, signal })

export const createKey = (
  { clientId, operators }: AdminScope,
  body: NewApiKey
): Promise<Answer<ApiKey & { readonly key?: string }>> =>
  operators.post(path`/environments/${clientId}/keys`, {
    body,
    headers: { 'idempotency-key': crypto.randomUUID() }
  })

export const revokeKey = ({ clientId, operators }: AdminScope, id: string): Promise<Answer<undefined>> =>
  operators.delete(path`/environments/${clientId}/keys/${id}`)

export const listMembers = ({ operators }: AdminScope, signal: AbortSignal): Promise<Answer<MemberPage>> =>
  operators.get('/operators/members', { query: { count: 100 }, signal })

export const blockMember = (
  { operators }: AdminScope,
  id: string,
  blocked: boolean
): Promise<Answer<Member>> => operators.patch(path`/operators/members/${id}`, { body: { blocked } })

export const listSessions = (
  { operators }: AdminScope,
  signal: AbortSignal
): Promise<Answer<{ readonly sessions: readonly Session[] }>> =>
  operators.get('/operators/sessions', { signal })

export const endSession = ({ operators }: AdminScope, id: string): Promise<Answer<undefined>> =>
  operators.delete(path`/operators/sessions/${id}`)

export const listAudit = (
  { clientId, operators }: AdminScope,
  { all, before }: { readonly all: boolean; readonly before: string | null },
  signal: AbortSignal
): Promise<Answer<AuditPage>> =>
  operators.get('/audit', {
    query: { clientId: all ? undefined : clientId, count: 25, cursor: before ?? undefined },
    signal
  })

/** All entries as JSON lines. */
export const exportAudit = ({ clientId, operators }: AdminScope, all: boolean): Promise<Answer<undefined>> =>
  operators.save('/audit/export', all ? 'audit.jsonl' : `audit-${clientId}.jsonl`, {
    clientId: all ? undefined : clientId
  })

export const readServerSettings = (
  { operators }: AdminScope,
  signal: AbortSignal
): Promise<Answer<ServerSettings>> => operators.get('/settings', { signal })
