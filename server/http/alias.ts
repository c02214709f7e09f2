// Addresses that leave out the client id, as the hosted product's next front end asks (spec/wire.md 12): the token says
// whose they are. An alias is the same route at one more address, never another handler.

import type { IncomingHttpHeaders } from 'node:http'

import type { EnvironmentSettings } from '../config/environment.ts'
import { isAllowedOrigin } from './cors.ts'
import { Problem } from './problem.ts'
import type { Route } from './route.ts'

/** What a user may ask at the second address can be asked at the first. */
const ALIASES: Readonly<Record<string, string>> = {
  '/user/inapp': '/:clientId/users/:userId/notifications/INAPP_WEB',
  // Stands before `/users/:userId`: who has this id is read at the whole address.
  '/users/account-metadata': '/:clientId/users/:userId/account_metadata',
  '/users/:userId': '/:clientId/users/:userId',
  '/users/:userId/preferences': '/:clientId/users/:userId/preferences'
}

/** The same routes once more, for front ends that say who they are in the token alone. */
export const aliasesOf = (routes: readonly Route[]): Route[] =>
  Object.entries(ALIASES).flatMap(([path, aliasOf]) =>
    routes
      .filter(route => route.path === aliasOf && route.who === 'user')
      .map(route => Object.assign({}, route, { aliasOf, path }))
  )

/**
 * A preflight carries no token, so at an alias it cannot be asked which pages the environment lists; every page is told
 * to go on. The request itself has the token, and what its environment does not list is refused here, before anything
 * is done. A page of our own origin needs no leave; browsers say so, over https, as this front end insists on.
 *
 * @throws Problem
 */
export function refusePage(
  { origin, 'sec-fetch-site': site }: IncomingHttpHeaders,
  settings: EnvironmentSettings | undefined
): void {
  if (origin === undefined || site === 'same-origin' || settings === undefined) return
  if (isAllowedOrigin(settings, origin)) return
  throw new Problem('forbidden', 'The environment does not list the origin of this page.')
}
