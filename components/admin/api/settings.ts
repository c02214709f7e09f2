// Environments, secrets, API keys, members, sessions, audit and settings of the server: routes of operators.

import { path, type Answer } from './client.ts'
import type { AdminScope } from './scope.ts'

export interface Environment {
  readonly clientId: string
  readonly title: string
  readonly secureMode: boolean
  readonly disabledChannels: readonly string[]
  readonly retentionDays?: number
  readonly limits: { readonly sendsPerSecond?: number }
  readonly previousSecretUntil?: string
  readonly secretLastUsedAt?: string
  readonly createdAt: string
}

export const KEY_SCOPES = ['send', 'read', 'types', 'users', 'all'] as const

export interface ApiKey {
  readonly id: string
  readonly name: string
  readonly scopes: readonly string[]
  readonly start: string
  readonly createdAt: string
  readonly createdBy: string
  readonly expiresAt?: string
  readonly revokedAt?: string
  readonly lastUsedAt?: string
}

export interface MemberRow {
  readonly actor: string
  readonly id: string
  readonly name: string
  readonly email?: string
  readonly role: 'viewer' | 'support' | 'editor' | 'admin'
  readonly lastSeenAt: string
  readonly blockedAt?: string
}

export interface SessionRow {
  readonly id: string
  readonly address: string
  readonly browser: string
  readonly createdAt: string
  readonly lastUsedAt: string
  readonly current: boolean
}

export interface AuditEntry {
  readonly id: string
  readonly date: string
  readonly actor: string
  readonly method: string
  readonly route: string
  readonly clientId?: string
  readonly userDigest?: string
  readonly address: string
  readonly status?: number
}

export interface ServerSetting {
  readonly name: string
  readonly group: string
  readonly value: string | null
  readonly default: string | null
  readonly isSecret: boolean
  readonly source: 'set' | 'default'
  readonly meaning: string
}

export interface ServerSettings {
  readonly settings: readonly ServerSetting[]
  readonly warnings: readonly { readonly name?: string; readonly detail: string }[]
}

export const listEnvironments = (
  { operators }: AdminScope,
  signal: AbortSignal
): Promise<Answer<{ readonly environments: readonly Environment[] }>> =>
  operators.get('/environments', { query: { count: 100 }, signal })

export const createEnvironment = (
  { operators }: AdminScope,
  body: { readonly title: string; readonly clientId?: string }
): Promise<Answer<Environment & { readonly clientSecret: string }>> =>
  operators.post('/environments', { body, headers: { 'idempotency-key': crypto.randomUUID() } })

export const patchEnvironment = (
  { clientId, operators }: AdminScope,
  body: unknown
): Promise<Answer<Environment>> => operators.patch(path`/environments/${clientId}`, { body })

export const rotateSecret = (
  { clientId, operators }: AdminScope,
  graceSeconds: number
): Promise<Answer<{ readonly clientSecret: string }>> =>
  operators.post(path`/environments/${clientId}/secret`, { body: { graceSeconds } })

export const listKeys = (
  { clientId, operators }: AdminScope,
  signal: AbortSignal
): Promise<Answer<{ readonly keys: readonly ApiKey[] }>> =>
  operators.get(path`/environments/${clientId}/keys`, { query: { count: 200 }, signal })

export const createKey = (
  { clientId, operators }: AdminScope,
  body: { readonly name: string; readonly scopes: readonly string[]; readonly expiresInDays?: number }
): Promise<Answer<ApiKey & { readonly key?: string }>> =>
  operators.post(path`/environments/${clientId}/keys`, {
    body,
    headers: { 'idempotency-key': crypto.randomUUID() }
  })

export const revokeKey = ({ clientId, operators }: AdminScope, id: string): Promise<Answer<undefined>> =>
  operators.delete(path`/environments/${clientId}/keys/${id}`)

export const listMembers = (
  { operators }: AdminScope,
  signal: AbortSignal
): Promise<Answer<{ readonly members: readonly MemberRow[] }>> =>
  operators.get('/operators/members', { query: { count: 100 }, signal })

export const blockMember = (
  { operators }: AdminScope,
  id: string,
  blocked: boolean
): Promise<Answer<MemberRow>> => operators.patch(path`/operators/members/${id}`, { body: { blocked } })

export const listSessions = (
  { operators }: AdminScope,
  signal: AbortSignal
): Promise<Answer<{ readonly sessions: readonly SessionRow[] }>> =>
  operators.get('/operators/sessions', { signal })

export const endSession = ({ operators }: AdminScope, id: string): Promise<Answer<undefined>> =>
  operators.delete(path`/operators/sessions/${id}`)

export const listAudit = (
  { clientId, operators }: AdminScope,
  { all, before }: { readonly all: boolean; readonly before: string | null },
  signal?: AbortSignal
): Promise<Answer<{ readonly entries: readonly AuditEntry[]; readonly next?: string }>> =>
  operators.get('/audit', {
    query: { clientId: all ? undefined : clientId, count: 25, cursor: before ?? undefined },
    signal
  })

export const readServerSettings = (
  { operators }: AdminScope,
  signal: AbortSignal
): Promise<Answer<ServerSettings>> => operators.get('/settings', { signal })
