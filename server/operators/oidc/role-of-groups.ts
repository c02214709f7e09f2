// Chooses the role of a member by the groups that the OpenID provider names.

import { ROLES, type GroupRole, type Role } from '../../config/oidc.ts'

/**
 * @param claim - a list of groups, or one group; anything else names none
 * @returns the highest role of the groups; undefined if none has a role
 */
export function roleOfGroups(claim: unknown, roles: readonly GroupRole[]): Role | undefined {
  const groups = new Set<unknown>(Array.isArray(claim) ? claim : [claim])
  const own = roles.filter(({ group }) => groups.has(group)).map(({ role }) => ROLES.indexOf(role))
  return ROLES[Math.max(-1, ...own)]
}
