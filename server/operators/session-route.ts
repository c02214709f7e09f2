// REST routes of the own session: sign in with the admin token, see who is signed in, sign out here and everywhere.

import type { Config } from '../config/config.ts'
import { isTrackingId } from '../core/id.ts'
import type { Log } from '../core/log.ts'
import type { Db } from '../db/db.ts'
import { listEnvironments } from '../environments/environments.sql.ts'
import { adminActor, type Audit } from '../http/audit/audit.ts'
import { isAdmin } from '../http/auth.ts'
import { addressKey } from '../http/client-address.ts'
import { isCrossOrigin } from '../http/own-origin.ts'
import { parseInput } from '../http/parse-input.ts'
import { Problem } from '../http/problem.ts'
import { ok, route, type Answer, type CallOf, type Route } from '../http/route.ts'
import { csrfToken, readSessionCookie, sessionCookie, type OpenSession } from '../http/session.ts'
import {
  createSessionDoc,
  deleteOwnSessionDoc,
  deleteSessionDoc,
  deleteSessionsDoc,
  listSessionsDoc,
  readSessionDoc,
  signInOptionsDoc
} from './doc.ts'
import type { Identity } from './members.sql.ts'
import { signInBody } from './schema.ts'
import { listSessions, type SessionInfo } from './sessions.sql.ts'
import { SESSION_SECONDS, type OpenSessions } from './sessions.ts'
import type { SignInLimit } from './sign-in-limit.ts'

export interface SessionRoutesOptions {
  readonly db: Db
  readonly config: Pick<Config, 'oidcIssuer' | 'publicUrl'>
  readonly log: Log
  readonly audit: Audit
  readonly adminTokenHash: Buffer
  readonly sessions: OpenSessions
  readonly limit: SignInLimit
}

/** Environments in the menu of the dashboard; the rest is found by `GET /environments`. */
const MAX_ENVIRONMENTS = 200
const MAX_SESSIONS = 200

const toWire = ({ createdAt, expiresAt, lastUsedAt, ...session }: SessionInfo, current: string) => ({
  ...session,
  createdAt: createdAt.toISOString(),
  lastUsedAt: lastUsedAt.toISOString(),
  expiresAt: expiresAt.toISOString(),
  current: session.id === current
})

export function sessionRoutes(options: SessionRoutesOptions): Route[] {
  const { adminTokenHash, audit, config, db, limit, sessions } = options
  const log = options.log.child({ component: 'operators' })

  const describe = async ({ csrfToken: token, expiresAt, member }: OpenSession) => {
    const environments = await listEnvironments(db, '', MAX_ENVIRONMENTS)
    const { actor, id, name, role } = member
    return {
      member: { actor, id, name, role },
      csrfToken: token,
      expiresAt: expiresAt.toISOString(),
      environments: environments.map(({ id: clientId, settings: { title: name } }) =>
        name === '' ? { clientId } : { clientId, name }
      )
    }
  }

  const withoutCookie = (headers: CallOf['anyone']['headers']): Answer => ({
    cookies: [sessionCookie(headers, config, '', 0)],
    status: 204
  })

  /** @throws Problem `unauthorized` or `rate-limited` */
  const checkToken = async (address: string, token: string): Promise<void> => {
    await limit.take(address)
    if (!isAdmin(`Bearer ${token}`, adminTokenHash)) {
      log.warn({ event: 'sign_in_refused' }, 'sign-in refused: the admin token was wrong')
      throw new Problem('unauthorized', 'The admin token is wrong.', {
        headers: { 'www-authenticate': 'Bearer realm="notif-kit"' }
      })
    }
    await limit.giveBack(address)
  }

  const identity: Identity = {
    email: undefined,
    issuer: '',
    name: 'Admin token',
    role: 'admin',
    subject: adminActor(adminTokenHash)
  }

  const signIn = async ({ address, headers }: CallOf['anyone'], id: string): Promise<Answer> => {
    const signedIn = await sessions.signIn({
      address,
      browser: headers['user-agent'],
      id,
      identity,
      previousCookie: readSessionCookie(headers, config)
    })
    if (!signedIn) throw new Problem('forbidden', 'This member is blocked.')
    const { cookie, session } = signedIn
    return {
      ...ok(await describe({ ...session, csrfToken: csrfToken(cookie) })),
      cookies: [sessionCookie(headers, config, cookie, SESSION_SECONDS)]
    }
  }

  return [
    route('GET', '/operators/sign-in-options', 'anyone', signInOptionsDoc, async () => {
      const { oidcIssuer } = config
      const oidc = oidcIssuer === undefined ? null : { label: new URL(oidcIssuer).host }
      return ok({ adminToken: true, oidc })
    }),

    route('POST', '/operators/session', 'anyone', createSessionDoc, async call => {
      const { address, body, headers } = call
      if (isCrossOrigin(headers, config)) {
        throw new Problem('forbidden', 'Only pages of this server may sign in.')
      }
      const { adminToken } = parseInput(signInBody, body)
      await checkToken(addressKey(address), adminToken)
      const { actor, id } = await sessions.nameOf(identity)
      const audited = {
        action: 'createSession',
        actor,
        address,
        clientId: undefined,
        method: 'POST',
        route: '/operators/session',
        subject: undefined,
        userDigest: undefined
      }
      return audit.run(audited, () => signIn(call, id))
    }),

    route('GET', '/operators/session', 'member', readSessionDoc, async ({ session }) =>
      ok(await describe(session))
    ),

    route('DELETE', '/operators/session', 'member', deleteOwnSessionDoc, async ({ headers, session }) => {
      await sessions.end(session.id, session.member.id)
      return withoutCookie(headers)
    }),

    route('GET', '/operators/sessions', 'member', listSessionsDoc, async ({ session }) => {
      const found = await listSessions(db.control, session.member.id, MAX_SESSIONS)
      return ok({ sessions: found.map(one => toWire(one, session.id)) })
    }),

    route('DELETE', '/operators/sessions', 'member', deleteSessionsDoc, async ({ headers, session }) => {
      await sessions.endAllOf(session.member.id)
      return withoutCookie(headers)
    }),

    route('DELETE', '/operators/sessions/:sessionId', 'member', deleteSessionDoc, async call => {
      const { member } = call.session
      const sessionId = call.params['sessionId']!
      const owner = member.role === 'admin' ? undefined : member.id
      const isEnded = isTrackingId(sessionId) && (await sessions.end(sessionId, owner))
      if (!isEnded) throw new Problem('not-found', 'No session has this id.')
      return { status: 204 }
    })
  ]
}
