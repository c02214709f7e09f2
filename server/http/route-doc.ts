// The API reference of a route: its schemas, and examples that a test sends to the real server.

import type { z } from 'zod'

import type { Role } from '../config/oidc.ts'

/** Groups of the reference, in the order in which a newcomer needs them. */
export const TAGS = {
  send: 'Send notifications, and retract them.',
  broadcasts: 'One notification to many users.',
  schedules: 'Sends for a later time.',
  users: 'Users and their contact data.',
  topics: 'Groups of users that you send to at once.',
  preferences: 'Which notifications each user gets, on which channel and how often.',
  inbox: 'The in-app notifications of one user.',
  types: 'Notification types and their templates.',
  logs: 'What happened to each send.',
  tasks: 'Long work with progress, which survives restarts.',
  environments: 'Client ids, their secrets and settings.',
  operators: 'Members: who signs in to the dashboard, and what they may do.',
  sandbox: 'Messages of channels that have no provider.',
  operations: 'For load balancers and operators.'
} as const

export type Tag = keyof typeof TAGS

/**
 * An example request. A test sends all examples in this order: writing, reading, deleting. The reference shows the answer that the
 * test recorded in openapi/recorded-answers.json.
 */
export interface Example {
  /** A few words, unique within the route. */
  readonly name: string
  /** Path parameters except the client id, by name. Defaults are in openapi/parameters.ts. */
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly status: number
}

/** A valid id for examples. Nothing has it, unless a test stores it. */
export const EXAMPLE_ID = '01937f6e-0000-7000-8000-000000000000'

/** @param parameter - path parameter of the id */
export const unknownId = (parameter: string): Example => ({
  name: 'Unknown id',
  params: { [parameter]: EXAMPLE_ID },
  status: 404
})

/**
 * Alternatives of a body, by the name of their schema: which fields each one has beside the common ones. A body names them in its
 * `meta` as `forms`, because routes parse all alternatives with one schema.
 */
export type Forms = Readonly<
  Record<string, { readonly required: readonly string[]; readonly optional?: readonly string[] }>
>

export interface Doc {
  /** camelCase, a verb first, unique: the name of the function in generated clients. */
  readonly operationId: string
  /** One short line without a full stop. */
  readonly summary: string
  /** Markdown; absent if the summary is enough. */
  readonly description?: string
  readonly tag: Tag
  /** The route changes nothing although its method is not GET, so an API key with the scope `read` may call it. */
  readonly reads?: true
  /** Roles that may call the route beside those whose scopes allow it (roles.ts). */
  readonly roles?: readonly Role[]
  /** Answers show no data of a user, so reading them is not in the audit log. */
  readonly impersonal?: true
  /** Kept for existing clients; the summary or description names what replaces it. */
  readonly deprecated?: true
  readonly body?: z.ZodType
  readonly bodyOptional?: true
  readonly query?: z.ZodObject
  /** The write honours If-Match and If-None-Match. */
  readonly conditional?: true
  /** Schema of JSON answers below 400, without transforms; absent if they have no body. */
  readonly answer?: z.ZodType
  /** The answer is a stream of JSON lines, each of which fits `answer`. */
  readonly lines?: true
  /** Statuses of problems that clients have to expect and no example shows, except general problems. */
  readonly problems?: readonly number[]
  /** Examples with every status that clients have to expect, except general problems. */
  readonly examples: readonly [Example, ...Example[]]
}
