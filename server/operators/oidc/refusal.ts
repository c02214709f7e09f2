// Why a sign-in failed, in words for its person, and with the setting that an operator changes.

import { ProviderUnreachable } from './outbound-fetch.ts'

export interface Refusal {
  readonly status: number
  /** Stable key for the log. */
  readonly reason: string
  readonly detail: string
}

const MAX_TEXT_CHARACTERS = 300

const field = (error: object, name: string): string | undefined => {
  const value = (error as Readonly<Record<string, unknown>>)[name]
  return typeof value === 'string' ? value.slice(0, MAX_TEXT_CHARACTERS) : undefined
}

/** Returns the errors in the chain of causes, the outermost first. */
function causes(error: unknown): object[] {
  const found: object[] = []
  for (let one = error; typeof one === 'object' && one !== null; one = (one as Error).cause) {
    if (found.push(one) === 10) break
  }
  return found
}

export const refusals = {
  blocked: (): Refusal => ({
    detail: 'An admin has blocked you. Ask an admin of this server.',
    reason: 'blocked',
    status: 403
  }),
  noRole: (claim: string): Refusal => ({
    detail: `None of your groups has a role here. An operator of this server can add one to NOTIF_OIDC_ROLES; the groups are read from the claim “${claim}” (NOTIF_OIDC_GROUPS_CLAIM).`,
    reason: 'no_role',
    status: 403
  }),
  notBegun: (): Refusal => ({
    detail:
      'No sign-in is under way in this browser: it took longer than 10 minutes, ended already, or began at another address than NOTIF_PUBLIC_URL.',
    reason: 'not_begun',
    status: 400
  })
}

/** Explains an error of the provider or of openid-client. */
export function explainFailure(error: unknown, issuer: string): Refusal {
  const chain = causes(error)
  const unreachable = chain.find(one => one instanceof ProviderUnreachable)
  if (unreachable) {
    return {
      detail: `The OpenID provider ${issuer} cannot be reached: ${unreachable.message} Check NOTIF_OIDC_ISSUER.`,
      reason: 'provider_unreachable',
      status: 502
    }
  }
  const code = chain.map(one => field(one, 'error')).find(text => text !== undefined)
  if (code === 'invalid_client' || code === 'unauthorized_client') {
    return {
      detail: `The OpenID provider does not accept this server (${code}). Check NOTIF_OIDC_CLIENT_ID and NOTIF_OIDC_CLIENT_SECRET.`,
      reason: code,
      status: 502
    }
  }
  if (code !== undefined) {
    const words = chain.map(one => field(one, 'error_description')).find(text => text !== undefined)
    return {
      detail: `The OpenID provider refused the sign-in: ${code}${words === undefined ? '' : ` (${words})`}.`,
      reason: 'provider_refused',
      status: 400
    }
  }
  const [first] = chain
  const [cause] = chain.toReversed()
  return {
    detail: `The answer of the OpenID provider is not that of this sign-in, or is not valid: ${(first as Error | undefined)?.message ?? 'unknown error'}. Begin again.`,
    reason: (cause && field(cause, 'code')) ?? (first && field(first, 'code')) ?? 'invalid_answer',
    status: 400
  }
}
