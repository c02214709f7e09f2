// Members, who sign in to the dashboard, and the audit log, for operators.

import type { Call, CallOptions } from './call.ts'
import type { JsonLines } from './json-lines.ts'
import type { Instant, PageOptions } from './names.ts'

/**
 * `viewer`: reads, without addresses. `support`: also reads addresses, changes users, resends and retracts. `editor`: also reads
 * addresses and changes types and templates. `admin`: everything.
 */
export type MemberRole = 'viewer' | 'support' | 'editor' | 'admin'

export interface Member {
  readonly id: string
  /** Name in the audit log. */
  readonly actor: string
  readonly name: string
  readonly email?: string
  /** As of the last sign-in. */
  readonly role: MemberRole
  readonly signInBy: 'adminToken' | 'oidc'
  /** First sign-in. */
  readonly createdAt: Instant
  /** At most a minute late. */
  readonly lastSeenAt: Instant
  readonly blockedAt?: Instant
  readonly blockedBy?: string
}

export interface MemberPage {
  /** The latest first sign-in is first. */
  readonly members: readonly Member[]
  /** Cursor of the next page. Absent on the last page. */
  readonly next?: string
}

/** Conditions that all have to hold. */
export interface AuditFilter {
  readonly clientId?: string
  /** `actor` of an entry or of a member. */
  readonly actor?: string
  /** Operation id, such as `getUser`. */
  readonly action?: string
  /** A user of the environment `clientId`. */
  readonly userId?: string
  /** Id of a send, a type, a key and so on. */
  readonly subject?: string
  /** Range of `date`, inclusive: Unix times in seconds or milliseconds. */
  readonly startTime?: number
  readonly endTime?: number
}

/** A call of an operator. */
export interface AuditEntry {
  readonly id: string
  readonly date: Instant
  /** `admin:` and the first 8 hex digits of the SHA-256 of the admin token, or `member:` and the id of a member. */
  readonly actor: string
  /** Of the member. */
  readonly name?: string
  /** Operation id, such as `getUser`. */
  readonly action: string
  readonly method: string
  /** Path pattern, such as `/:clientId/users/:userId`. */
  readonly route: string
  readonly clientId?: string
  /** First 16 hex digits of the SHA-256 of client id, a NUL byte and user id. */
  readonly userDigest?: string
  /** Id of what the path names beside environment and user. */
  readonly subject?: string
  /** IP address of the client. */
  readonly address: string
  /** Absent if the call still runs, or if the process ended before its answer. */
  readonly status?: number
}

export interface AuditPage {
  /** Newest first. */
  readonly entries: readonly AuditEntry[]
  /** Cursor of the next page. Absent on the last page. */
  readonly next?: string
}

const MEMBERS = ['operators', 'members'] as const

export const operatorCalls = (call: Call, jsonLines: JsonLines) => ({
  /** Lists what operators did: looks at data of users, and changes. */
  listAuditLog: (filter: AuditFilter & PageOptions = {}, options?: CallOptions): Promise<AuditPage> =>
    call({ method: 'GET', path: ['audit'], query: { ...filter } }, options),

  /** Yields all entries of the audit log that a filter finds, the newest first, as they are read. */
  exportAuditLog: (
    filter: AuditFilter = {},
    options?: CallOptions
  ): AsyncGenerator<AuditEntry, void, undefined> =>
    jsonLines<AuditEntry>(['audit', 'export'], options, { ...filter }),

  /** Lists everybody who signed in at least once. */
  listMembers: (page: PageOptions = {}, options?: CallOptions): Promise<MemberPage> =>
    call({ method: 'GET', path: MEMBERS, query: { ...page } }, options),

  /** Blocks a member, which ends all their sessions, or allows them to sign in again. */
  updateMember: (
    memberId: string,
    change: { readonly blocked: boolean },
    options?: CallOptions
  ): Promise<Member> => call({ body: change, method: 'PATCH', path: [...MEMBERS, memberId] }, options),

  /** Ends all sessions of a member. */
  signOutMember: async (memberId: string, options?: CallOptions): Promise<void> => {
    await call({ method: 'DELETE', path: [...MEMBERS, memberId, 'sessions'] }, options)
  }
})
