// Signs in with an OpenID provider: authorization code flow with PKCE, state and nonce (OpenID Connect Core 1.0, 3.1).

import type { ClientAuth, Configuration, UserInfoResponse } from 'openid-client'

import type { Config } from '../../config/config.ts'
import { openOutbound } from '../../outbound/outbound.ts'
import { outboundFetch } from './outbound-fetch.ts'

type Settings = Pick<
  Config,
  'allowPrivate' | 'oidcClientId' | 'oidcClientSecret' | 'oidcGroupsClaim' | 'oidcScopes' | 'outboundPorts'
>

/** What belongs to one sign-in, and only its browser holds. */
export interface Secrets {
  readonly state: string
  readonly nonce: string
  /** Of PKCE (RFC 7636). */
  readonly verifier: string
}

/** What the provider says of a person. */
export interface Claims {
  readonly subject: string
  readonly name: string
  readonly email: string | undefined
  /** Value of the claim with the groups, as the provider sent it. */
  readonly groups: unknown
}

export interface Provider {
  /** Returns the address at the provider that a browser opens. @param redirectUri - address of the callback */
  begin(secrets: Secrets, redirectUri: string): Promise<URL>
  /**
   * @param callback - address that the provider led the browser to
   * @throws ProviderUnreachable, or an error of openid-client for an answer that is not the one of this sign-in
   */
  finish(callback: URL, secrets: Secrets): Promise<Claims>
}

/** Metadata of the provider is read again after this time. */
const METADATA_MS = 3_600_000
const CLOCK_TOLERANCE_SECONDS = 30
const REQUEST_TIMEOUT_SECONDS = 15
const MAX_NAME_CHARACTERS = 200

/** Loaded at the first sign-in, because most installations need none. */
const load = () => import('openid-client')

export const createSecrets = async (): Promise<Secrets> => {
  const { randomNonce, randomPKCECodeVerifier, randomState } = await load()
  return { nonce: randomNonce(), state: randomState(), verifier: randomPKCECodeVerifier() }
}

export function openProvider(issuer: string, settings: Settings): Provider {
  const { oidcClientId = '', oidcClientSecret = '', oidcGroupsClaim, oidcScopes } = settings
  const outbound = openOutbound({ config: settings, trusted: true })
  let known: { readonly configuration: Promise<Configuration>; readonly until: number } | undefined

  const discover = async (): Promise<Configuration> => {
    const client = await load()
    /** Basic credentials are the default of the specification; some providers list only the other way. */
    const authenticate: ClientAuth = (server, ...rest) => {
      const listed = server.token_endpoint_auth_methods_supported
      const isPost = listed?.includes('client_secret_post') ?? false
      const way = isPost ? client.ClientSecretPost : client.ClientSecretBasic
      return way(oidcClientSecret)(server, ...rest)
    }
    const isInsecure = issuer.startsWith('http:')
    return client.discovery(
      new URL(issuer),
      oidcClientId,
      { [client.clockTolerance]: CLOCK_TOLERANCE_SECONDS },
      authenticate,
      {
        [client.customFetch]: outboundFetch(outbound),
        execute: [client.enableNonRepudiationChecks, ...(isInsecure ? [client.allowInsecureRequests] : [])],
        timeout: REQUEST_TIMEOUT_SECONDS
      }
    )
  }

  const configure = (): Promise<Configuration> => {
    const now = performance.now()
    if (known && now < known.until) return known.configuration
    const configuration = discover()
    known = { configuration, until: now + METADATA_MS }
    // A failure is not kept: the next sign-in asks again.
    configuration.catch(() => (known = undefined))
    return configuration
  }

  return {
    async begin({ nonce, state, verifier }, redirectUri) {
      const { buildAuthorizationUrl, calculatePKCECodeChallenge } = await load()
      return buildAuthorizationUrl(await configure(), {
        code_challenge: await calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        nonce,
        redirect_uri: redirectUri,
        scope: oidcScopes,
        state
      })
    },
    async finish(callback, { nonce, state, verifier }) {
      const { authorizationCodeGrant, fetchUserInfo } = await load()
      const configuration = await configure()
      const tokens = await authorizationCodeGrant(configuration, callback, {
        expectedNonce: nonce,
        expectedState: state,
        idTokenExpected: true,
        pkceCodeVerifier: verifier
      })
      const token = tokens.claims()!
      // Many providers send groups, or even the name, with the user info alone.
      const info: Partial<UserInfoResponse> =
        token[oidcGroupsClaim] === undefined && configuration.serverMetadata().userinfo_endpoint !== undefined
          ? await fetchUserInfo(configuration, tokens.access_token, token.sub)
          : {}
      return toClaims(token.sub, { ...info, ...token }, oidcGroupsClaim)
    }
  }
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== ''
    ? value.replaceAll('\0', '').trim().slice(0, MAX_NAME_CHARACTERS)
    : undefined

function toClaims(subject: string, all: Readonly<Record<string, unknown>>, groupsClaim: string): Claims {
  const email = textOf(all['email'])
  // An address that nobody proved must give no role.
  const isUnproven = groupsClaim === 'email' && all['email_verified'] !== true
  return {
    email,
    groups: isUnproven ? undefined : all[groupsClaim],
    name: textOf(all['name']) ?? textOf(all['preferred_username']) ?? email ?? subject,
    subject
  }
}
