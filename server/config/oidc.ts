// Settings of OpenID Connect, by which members sign in to the dashboard.

import { z } from 'zod'

import { address, optional, secretText, setting, text, type Values } from './parse.ts'

/** What a member may do; server/http/roles.ts says which routes. */
export const ROLES = ['viewer', 'support', 'editor', 'admin'] as const

export type Role = (typeof ROLES)[number]

export interface GroupRole {
  readonly group: string
  readonly role: Role
}

const EXPECTED = `Expected group=role, comma-separated, or a JSON object, with the roles ${ROLES.join(', ')}`

const isRole = (text: string): text is Role => (ROLES as readonly string[]).includes(text)

/** The names of some providers' groups contain commas and `=`, so a JSON object is read too. */
function readPairs(value: string): readonly (readonly [string, unknown])[] {
  if (value.startsWith('{')) return Object.entries(JSON.parse(value) as object)
  return value
    .split(',')
    .map(part => part.trim())
    .filter(part => part !== '')
    .map(part => {
      const at = part.lastIndexOf('=')
      return [part.slice(0, Math.max(at, 0)).trim(), part.slice(at + 1).trim()] as const
    })
}

const groupRoles = z
  .string()
  .default('')
  .transform((value, context): readonly GroupRole[] => {
    const refuse = (message: string): never => {
      context.addIssue({ code: 'custom', message })
      return z.NEVER
    }
    let pairs: ReturnType<typeof readPairs>
    try {
      pairs = readPairs(value.trim())
    } catch {
      return refuse(`${EXPECTED}. This is no JSON.`)
    }
    const roles = pairs.map(([group, role]) => ({ group, role: String(role) }))
    const wrong = roles.find(({ group, role }) => group === '' || !isRole(role))
    if (wrong) return refuse(`${EXPECTED}, not ${JSON.stringify(`${wrong.group}=${wrong.role}`)}.`)
    return roles as GroupRole[]
  })

/** Plain HTTP only on loopback: a host that can forge the provider's answers can sign in as an admin. */
const issuer = address('https:', 'http:').refine(
  value => {
    const url = URL.parse(value ?? '')
    return url?.protocol !== 'http:' || /^(?:localhost|127\.[\d.]+|\[::1\])$/.test(url.hostname)
  },
  { error: 'Expected an https address; http is accepted for localhost alone.' }
)

const scopes = text('openid profile email').refine(value => value.split(' ').includes('openid'), {
  error: 'Expected scopes separated by spaces, with openid among them.'
})

export const OIDC = {
  oidcIssuer: setting(
    'NOTIF_OIDC_ISSUER',
    'Issuer of the OpenID provider by which members sign in to the dashboard; unset: only the admin token',
    issuer
  ),
  oidcClientId: setting('NOTIF_OIDC_CLIENT_ID', 'Client id of this server at the OpenID provider', optional),
  oidcClientSecret: setting(
    'NOTIF_OIDC_CLIENT_SECRET',
    'Client secret of this server at the OpenID provider',
    secretText,
    true
  ),
  oidcScopes: setting(
    'NOTIF_OIDC_SCOPES',
    'Scopes that a sign-in asks for, separated by spaces; some providers send groups for one more',
    scopes
  ),
  oidcGroupsClaim: setting(
    'NOTIF_OIDC_GROUPS_CLAIM',
    'Claim of the ID token or the user info with the groups of a member: a list, or one text',
    text('groups')
  ),
  oidcRoles: setting(
    'NOTIF_OIDC_ROLES',
    'Roles by group, such as notify-admins=admin,helpdesk=support; of several, the highest counts, and without one the sign-in is refused',
    groupRoles
  )
} as const

type OidcConfig = Values<typeof OIDC> & { readonly publicUrl: string | undefined }

export const oidcProblems = (config: OidcConfig) => {
  if (config.oidcIssuer === undefined) return []
  const missing = (['oidcClientId', 'oidcClientSecret', 'publicUrl'] as const)
    .filter(key => config[key] === undefined)
    .map(key => ({ detail: 'Required when NOTIF_OIDC_ISSUER is set.', key }))
  const roles = config.oidcRoles.length === 0
  return [
    ...missing,
    ...(roles
      ? [{ detail: `Required when NOTIF_OIDC_ISSUER is set. ${EXPECTED}.`, key: 'oidcRoles' as const }]
      : [])
  ]
}
