// The session of a member: signs in and out, and says what the member may do.

import type { Answer, Api } from './client.ts'
import type { Member } from './scope.ts'

export interface EnvironmentName {
  readonly clientId: string
  readonly name?: string | undefined
}

export interface Session {
  readonly member: Member
  readonly csrfToken: string
  readonly expiresAt: string
  readonly environments: readonly EnvironmentName[]
}

export interface SignInOptions {
  readonly adminToken: boolean
  readonly oidc: { readonly label: string } | null
}

export const readSession = (api: Api): Promise<Answer<Session>> => api.get('/operators/session')

export const readSignInOptions = (api: Api): Promise<Answer<SignInOptions>> =>
  api.get('/operators/sign-in-options')

export const signIn = (api: Api, adminToken: string): Promise<Answer<Session>> =>
  api.post('/operators/session', { body: { adminToken } })

export const signOut = (api: Api): Promise<Answer<undefined>> => api.delete('/operators/session')

/** Ends all sessions of the member, on every device. */
export const signOutEverywhere = (api: Api): Promise<Answer<undefined>> => api.delete('/operators/sessions')

/** Address of the sign-in with the company's provider; it comes back to `page`. */
export const oidcUrl = (api: Api, page: string): string =>
  `${api.base}/operators/oidc/start?${new URLSearchParams({ return: page })}`
