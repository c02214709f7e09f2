// Routes of members, their sessions, and the ways to sign in.

import type { Route } from '../http/route.ts'
import { memberListRoutes } from './members-route.ts'
import { oidcRoutes, type OidcRoutesOptions } from './oidc/route.ts'
import { sessionRoutes, type SessionRoutesOptions } from './session-route.ts'
import { createSignInLimit } from './sign-in-limit.ts'

export const memberRoutes = (options: Omit<SessionRoutesOptions, 'limit'> & OidcRoutesOptions): Route[] => [
  ...sessionRoutes({ ...options, limit: createSignInLimit() }),
  ...oidcRoutes(options),
  ...memberListRoutes(options.db, options.sessions)
]
