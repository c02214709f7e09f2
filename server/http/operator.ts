// Finds the operator of a request: the owner of the admin token, or a member with a session.

import type { Request } from 'express'

import type { Config } from '../config/config.ts'
import { adminActor } from './audit/audit.ts'
import { isAdmin } from './auth.ts'
import { Problem } from './problem.ts'
import { mayCall, rolesOf, type Role } from './roles.ts'
import type { Route } from './route.ts'
import { checkCsrf, csrfToken, readSessionCookie, type OpenSession, type Sessions } from './session.ts'

export interface Operator {
  /** Name in the audit log. */
  readonly actor: string
  readonly role: Role
  /** Undefined for the admin token. */
  readonly session?: OpenSession
}

export interface OperatorOptions {
  readonly adminTokenHash: Buffer | undefined
  readonly sessions: Sessions
  readonly config: Pick<Config, 'publicUrl'>
}

/** Reads the operator of any request, whatever its route. A request with a header of credentials has no session. */
export async function readOperator(
  { adminTokenHash, config, sessions }: OperatorOptions,
  request: Pick<Request, 'headers' | 'method'>
): Promise<Operator | undefined> {
  const { authorization } = request.headers
  if (authorization !== undefined) {
    return adminTokenHash && isAdmin(authorization, adminTokenHash)
      ? { actor: adminActor(adminTokenHash), role: 'admin' }
      : undefined
  }
  const cookie = readSessionCookie(request.headers, config)
  const session = cookie === undefined ? undefined : await sessions.find(cookie)
  if (cookie === undefined || !session) return undefined
  checkCsrf(request, config, cookie)
  const { actor, role } = session.member
  return { actor, role, session: { ...session, csrfToken: csrfToken(cookie) } }
}

/**
 * Returns the operator who calls a route; undefined for other callers.
 *
 * An alias is for front ends: its token names the environment, and operators name none.
 *
 * @throws Problem `forbidden` for a session without the proof of {@link checkCsrf}
 */
export const operatorOf = async (
  options: OperatorOptions,
  { access, aliasOf }: Pick<Route, 'access' | 'aliasOf'>,
  request: Pick<Request, 'headers' | 'method'>
): Promise<Operator | undefined> =>
  access === 'anyone' || aliasOf !== undefined ? undefined : readOperator(options, request)

/** @throws Problem `forbidden` if the role of the operator may not call the route */
export function checkRole({ role }: Operator, route: Pick<Route, 'access' | 'doc' | 'method'>): void {
  if (mayCall(role, route)) return
  throw new Problem(
    'forbidden',
    `Your role is ${role}. This call needs the role ${rolesOf(route).join(' or ')}.`
  )
}
