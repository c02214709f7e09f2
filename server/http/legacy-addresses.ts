// Aliases: addresses without a client id, which legacy front ends use. Their token names the environment.
//
// An alias is the same route at another address, never another handler.

import type { IncomingHttpHeaders } from 'node:http'

import type { EnvironmentSettings } from '../config/environment-settings.ts'
import { isAllowedOrigin } from './cors.ts'
import { Problem } from './problem.ts'
import type { Route } from './route.ts'

const ALIASES: Readonly<Record<string, string>> = {
  '/user/inapp': '/:clientId/users/:userId/notifications/INAPP_WEB',
  // Matches before `/users/:userId`: a user with this id is reached at the full address only.
  '/users/account-metadata': '/:clientId/users/:userId/account_metadata',
  '/users/:userId': '/:clientId/users/:userId',
  '/users/:userId/preferences': '/:clientId/users/:userId/preferences'
}

export const createAliases = (routes: readonly Route[]): Route[] =>
  Object.entries(ALIASES).flatMap(([path, aliasOf]) =>
    routes
      .filter(route => route.path === aliasOf && route.access === 'user')
      .map(route => Object.assign({}, route, { aliasOf, path }))
  )

/**
 * Refuses pages whose origin the environment does not list. At an alias, CORS alone cannot do that: a preflight carries no token,
 * so it cannot name the environment, and every preflight is allowed. Pages of this server's own origin pass: browsers mark them
 * with `Sec-Fetch-Site`.
 *
 * @throws Problem `forbidden`
 */
export function refuseUnlistedOrigin(
  { origin, 'sec-fetch-site': site }: IncomingHttpHeaders,
  settings: EnvironmentSettings | undefined
): void {
  if (origin === undefined || site === 'same-origin' || settings === undefined) return
  if (isAllowedOrigin(settings, origin)) return
  throw new Problem(
    'forbidden',
    'The environment does not list the origin of this page. Add it to the origins of the environment.'
  )
}
