// Roles of members: which routes a signed-in member may call.

import { ROLES, type Role } from '../config/oidc.ts'
import type { Route } from './route.ts'
import { scopesOf, type Scope } from './scopes.ts'

export { ROLES, type Role }

/** The scopes of API keys that a role has in every environment. A route may name roles beside them ({@link Doc.roles}). */
const SCOPES_OF: Readonly<Record<Role, readonly Scope[]>> = {
  viewer: ['read'],
  support: ['read', 'users'],
  editor: ['read', 'types'],
  admin: ['all']
}

/** An admin may call every route, also those of operators. */
export function mayCall(role: Role, route: Pick<Route, 'access' | 'doc' | 'method'>): boolean {
  const { access, doc } = route
  if (role === 'admin' || access === 'anyone' || access === 'member') return true
  if (doc?.roles?.includes(role)) return true
  return access !== 'admin' && scopesOf(route).some(scope => SCOPES_OF[role].includes(scope))
}

export const rolesOf = (route: Pick<Route, 'access' | 'doc' | 'method'>): readonly Role[] =>
  ROLES.filter(role => mayCall(role, route))

/** Viewers look at sends, and see no addresses. */
export const seesAddresses = (role: Role): boolean => role !== 'viewer'
