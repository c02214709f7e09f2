// What a screen works with: the routes of one environment, and what the member may do. Given by the closest provider.

import { createContext } from '@lit/context'

import type { ApiKeyScope } from '../../../server/client/environments.ts'
import type { Member as MemberEntry, MemberRole } from '../../../server/client/operators.ts'
import type { Api, Credentials } from './client.ts'
import { createApi } from './client.ts'

/** Of a session, or of an API key. */
export type Right = ApiKeyScope

/** Of a session. */
export type Member = Pick<MemberEntry, 'id' | 'name' | 'role'>

export interface AdminScope {
  readonly clientId: string
  /** Routes of the environment: `/logs/query` is `/{clientId}/logs/query`. */
  readonly api: Api
  /** Routes of operators: `/environments`, `/audit`, `/queues`. */
  readonly operators: Api
  /** Undefined if a key is used. */
  readonly member: Member | undefined
  /** Whether the role has this right. With a key it is the server that refuses. */
  can(right: Right): boolean
  /** Whether the routes of operators are open: to the session of an admin, never to a key. */
  readonly isOperator: boolean
  /** Address of a page of the dashboard: `sends?user=amara`. */
  pageUrl(page: string): string
}

export const adminContext = createContext<AdminScope | undefined>(Symbol.for('notif:admin'))

const RIGHTS: Readonly<Record<MemberRole, readonly Right[]>> = {
  admin: ['read', 'send', 'types', 'users', 'all'],
  editor: ['read', 'types'],
  support: ['read', 'users', 'send'],
  viewer: ['read']
}

export interface ScopeOptions extends Credentials {
  /** Address of the server without a slash at its end. */
  readonly apiUrl: string
  readonly clientId: string
  readonly member?: Member | undefined
}

export const createScope = ({ apiUrl, clientId, member, ...credentials }: ScopeOptions): AdminScope => ({
  api: createApi(`${apiUrl}/${encodeURIComponent(clientId)}`, credentials),
  can: right => !member || RIGHTS[member.role].includes(right),
  clientId,
  isOperator: member?.role === 'admin',
  member,
  operators: createApi(apiUrl, credentials),
  pageUrl: page => `${apiUrl}/admin/${encodeURIComponent(clientId)}/${page}`
})
