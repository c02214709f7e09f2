// The problem of a call without valid credentials, with the challenge that fits its route and its caller.

import type { IncomingHttpHeaders } from 'node:http'

import { Problem } from './problem.ts'
import type { AccessLevel } from './route.ts'

const DETAIL: Readonly<Record<AccessLevel, string>> = {
  admin: 'Send the admin token as a bearer token, or sign in as a member with the role of this call.',
  anyone: 'The credentials are wrong.',
  'back-end':
    'Send Basic credentials with the client id of the address and its client secret, clientId:clientSecret, or an API key of this environment as a bearer token.',
  member: 'Sign in: this call needs the cookie of a session.',
  user: 'Send Basic credentials with the client id and user id of the address, and the user hash: clientId:userId:userHash.'
}

/** A script of our own pages without credentials is the dashboard, whose session has ended: for Basic, browsers would ask for a password. */
const isScript = ({
  authorization,
  'sec-fetch-mode': mode,
  'sec-fetch-site': site
}: IncomingHttpHeaders): boolean =>
  authorization === undefined && site === 'same-origin' && mode !== 'navigate'

export function unauthorized(access: AccessLevel, headers: IncomingHttpHeaders): Problem {
  const isBearer = access === 'admin' || access === 'member' || isScript(headers)
  return new Problem('unauthorized', DETAIL[access], {
    headers: {
      'www-authenticate': isBearer ? 'Bearer realm="notif-kit"' : 'Basic realm="notif-kit", charset="UTF-8"'
    }
  })
}
