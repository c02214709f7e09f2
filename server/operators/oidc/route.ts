// GET /operators/oidc/start and /callback: signs in with the OpenID provider of the settings.

import type { Config } from '../../config/config.ts'
import type { Clock } from '../../core/clock.ts'
import type { Log } from '../../core/log.ts'
import type { Encryption } from '../../environments/encryption/encryption.ts'
import type { Audit } from '../../http/audit/audit.ts'
import { pathPrefix, withoutTrailingSlash } from '../../http/path-prefix.ts'
import { Problem } from '../../http/problem.ts'
import { route, type Answer, type CallOf, type Route } from '../../http/route.ts'
import { readSessionCookie, sessionCookie } from '../../http/session.ts'
import type { Identity } from '../members.sql.ts'
import { SESSION_SECONDS, type OpenSessions } from '../sessions.ts'
import { continuePage, refusedPage } from './pages.ts'
import { createSecrets, openProvider, type Claims } from './provider.ts'
import { explainFailure, refusals, type Refusal } from './refusal.ts'
import { toReturnPath } from './return-path.ts'
import { roleOfGroups } from './role-of-groups.ts'
import {
  readSignIn,
  sealSignIn,
  signInCookie,
  SIGN_IN_SECONDS,
  type SignInUnderWay
} from './sign-in-cookie.ts'

export interface OidcRoutesOptions {
  readonly config: Config
  /** Of this process: a sign-in takes minutes. */
  readonly clock: Clock
  readonly log: Log
  readonly audit: Audit
  readonly encryption: Encryption
  readonly sessions: OpenSessions
}

const CALLBACK = '/operators/oidc/callback'

type Call = CallOf['anyone']

export function oidcRoutes(options: OidcRoutesOptions): Route[] {
  const { audit, clock, config, encryption, sessions } = options
  const { oidcIssuer: issuer, publicUrl } = config
  const log = options.log.child({ component: 'operators' })
  const prefix = pathPrefix(publicUrl)
  const ownUrl = withoutTrailingSlash(publicUrl ?? '')
  const provider = issuer === undefined ? undefined : openProvider(issuer, config)

  /** @throws Problem `not-found` if no provider is set */
  const configured = () => {
    if (issuer !== undefined && provider) return { issuer, provider }
    throw new Problem('not-found', 'No OpenID provider is set: NOTIF_OIDC_ISSUER.')
  }

  const refuse = ({ detail, reason, status }: Refusal, cause?: unknown): Answer => {
    log.warn(
      { event: 'sign_in_refused', reason, ...(cause !== undefined && { err: cause }) },
      'sign-in with the OpenID provider refused; the page says why'
    )
    return refusedPage(status, detail, `${prefix}/admin/sign-in`)
  }

  const signIn = async (
    { address, headers }: Call,
    { email, name, subject }: Claims,
    { groups, returnPath }: { readonly groups: unknown; readonly returnPath: string }
  ): Promise<Answer> => {
    const role = roleOfGroups(groups, config.oidcRoles)
    const person = { issuer: configured().issuer, subject }
    if (role === undefined) {
      // Who has lost the role keeps no session that began with it.
      const known = await sessions.findMember(person)
      if (known) await sessions.endAllOf(known.id)
      return refuse(refusals.noRole(config.oidcGroupsClaim))
    }
    const identity: Identity = { ...person, email, name, role }
    const { actor, id } = await sessions.nameOf(identity)
    const call = {
      action: 'createSession',
      actor,
      address,
      clientId: undefined,
      method: 'GET',
      route: CALLBACK,
      subject: undefined,
      userDigest: undefined
    }
    return audit.run(call, async () => {
      const signedIn = await sessions.signIn({
        address,
        browser: headers['user-agent'],
        id,
        identity,
        previousCookie: readSessionCookie(headers, config)
      })
      if (!signedIn) return refuse(refusals.blocked())
      const cookie = sessionCookie(headers, config, signedIn.cookie, SESSION_SECONDS)
      return { ...continuePage(prefix + returnPath), cookies: [cookie] }
    })
  }

  const finish = async (call: Call, underWay: SignInUnderWay): Promise<Answer> => {
    const { issuer: from, provider: asked } = configured()
    let claims: Claims
    try {
      claims = await asked.finish(new URL(`${ownUrl}${CALLBACK}?${call.query}`), underWay)
    } catch (error) {
      return refuse(explainFailure(error, from), error)
    }
    return signIn(call, claims, { groups: claims.groups, returnPath: underWay.returnPath })
  }

  return [
    route('GET', '/operators/oidc/start', 'anyone', async ({ headers, query }) => {
      const { issuer: from, provider: asked } = configured()
      const secrets = await createSecrets()
      let target: URL
      try {
        target = await asked.begin(secrets, ownUrl + CALLBACK)
      } catch (error) {
        return refuse(explainFailure(error, from), error)
      }
      const value = sealSignIn(encryption, {
        ...secrets,
        expiresAt: clock() + SIGN_IN_SECONDS * 1000,
        returnPath: toReturnPath(query.get('return'), prefix)
      })
      const cookie = signInCookie.write(headers, config, value, SIGN_IN_SECONDS)
      return { cookies: [cookie], headers: { location: target.href }, status: 302 }
    }),

    route('GET', CALLBACK, 'anyone', async call => {
      configured()
      const { headers } = call
      const text = signInCookie.read(headers, config)
      const underWay = text === undefined ? undefined : readSignIn(encryption, text, clock())
      if (!underWay) return refuse(refusals.notBegun())
      const answer = await finish(call, underWay)
      // One try for each beginning, whatever came of it.
      const ended = signInCookie.write(headers, config, '', 0)
      return { ...answer, cookies: [...(answer.cookies ?? []), ended] }
    })
  ]
}
