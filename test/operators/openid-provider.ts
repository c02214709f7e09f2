// A real OpenID provider on loopback, with the sign-in forms that oidc-provider has for development.

import { once } from 'node:events'
import { createServer, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

import { Provider } from 'oidc-provider'

export const OIDC_CLIENT = 'notif-kit'
export const OIDC_SECRET = 'secret-of-notif-kit-at-the-provider'

export interface OpenIdProvider extends AsyncDisposable {
  readonly issuer: string
  /** Groups of each person, by the text that they type as their login. */
  readonly groups: Map<string, readonly string[]>
  /** Changes the claims of ID tokens on their way, without the key of the provider. Undefined: they arrive as they are. */
  forge: ((claims: Readonly<Record<string, unknown>>) => object) | undefined
}

export interface OpenIdProviderOptions {
  /** Address of the callback. */
  readonly redirectUri: string
  /** Groups stand in the ID token. Default: in the user info alone. */
  readonly hasGroupsInToken?: boolean
}

/** Its name differs from that of the server under test, so browsers take the two for different sites. */
const HOST = 'localhost'

function forgeToken(answer: string, forge: NonNullable<OpenIdProvider['forge']>): string {
  const body = JSON.parse(answer) as Readonly<Record<string, unknown>>
  const [header, payload, signature] = String(body['id_token']).split('.')
  const claims = JSON.parse(Buffer.from(payload!, 'base64url').toString()) as Readonly<
    Record<string, unknown>
  >
  const forged = Buffer.from(JSON.stringify(forge(claims))).toString('base64url')
  return JSON.stringify({ ...body, id_token: [header, forged, signature].join('.') })
}

export async function openIdProvider({
  hasGroupsInToken = false,
  redirectUri
}: OpenIdProviderOptions): Promise<OpenIdProvider> {
  let handle: RequestListener | undefined
  const server = createServer((request, response) => {
    if (provider.forge && request.url === '/token') rewrite(response, provider.forge)
    handle!(request, response)
  })
  server.listen(0, HOST)
  await once(server, 'listening')
  const issuer = `http://${HOST}:${(server.address() as AddressInfo).port}`
  const groups = new Map<string, readonly string[]>()
  const provider: OpenIdProvider = {
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
    forge: undefined,
    groups,
    issuer
  }
  const oidc = new Provider(issuer, {
    claims: { email: ['email', 'email_verified'], groups: ['groups'], openid: ['sub'], profile: ['name'] },
    clients: [
      {
        client_id: OIDC_CLIENT,
        client_secret: OIDC_SECRET,
        grant_types: ['authorization_code'],
        redirect_uris: [redirectUri],
        response_types: ['code']
      }
    ],
    conformIdTokenClaims: !hasGroupsInToken,
    cookies: { keys: ['key of the cookies of the provider'] },
    findAccount: (_context: unknown, id: string) => ({
      accountId: id,
      claims: () => ({
        email: `${id}@heron.example`,
        email_verified: true,
        groups: groups.get(id) ?? [],
        name: `Person ${id}`,
        sub: id
      })
    }),
    scopes: ['openid', 'profile', 'email', 'groups']
  })
  handle = oidc.callback()
  return provider
}

function rewrite(response: ServerResponse, forge: NonNullable<OpenIdProvider['forge']>): void {
  const end = response.end.bind(response) as (body: string) => ServerResponse
  response.end = ((body: string | Buffer) => {
    const forged = forgeToken(String(body), forge)
    response.setHeader('content-length', Buffer.byteLength(forged))
    return end(forged)
  }) as typeof response.end
}
