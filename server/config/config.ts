// All settings in one table: name, default, meaning. Read once at start, validated together, frozen and passed down.

import { KEYS } from './credentials.ts'
import { EMAIL, emailProblems } from './email.ts'
import { LIMITS, RATES } from './limits.ts'
import { OIDC, oidcProblems, type GroupRole } from './oidc.ts'
import {
  address,
  base,
  flag,
  maskAddress,
  networks,
  oneOf,
  optional,
  origins,
  ports,
  processes,
  setting,
  text,
  whole,
  type Values
} from './parse.ts'
import { PHONE, phoneProblems } from './phone.ts'
import { PUSH, pushProblems } from './push.ts'
import { readSettings, type Environ, type SettingProblem } from './read-config.ts'

const SETTINGS = {
  databaseUrl: setting(
    'DATABASE_URL',
    'Postgres 15 or newer; unset: an embedded Postgres in the data directory',
    address('postgres:', 'postgresql:'),
    true
  ),
  publicUrl: setting(
    'NOTIF_PUBLIC_URL',
    'Address at which users reach the server; unset: http://HOST:PORT',
    address('http:', 'https:')
  ),
  trustedProxies: setting(
    'NOTIF_TRUSTED_PROXIES',
    'Addresses or CIDRs of proxies whose X-Forwarded-For is used, comma-separated',
    networks
  ),
  ...KEYS,
  ...OIDC,
  port: setting('PORT', 'Port of HTTP, Socket.IO and WebSocket', whole(3000, 0, 65_535)),
  host: setting('HOST', 'Address to listen on', text('127.0.0.1')),
  role: setting(
    'NOTIF_ROLE',
    'api (HTTP and sockets), worker (deliveries) or all',
    oneOf(['api', 'worker', 'all'], 'all')
  ),
  processes: setting(
    'NOTIF_PROCESSES',
    'Processes that serve the port together, each on a core: a number, or auto for all cores but one (1 below four cores)',
    processes
  ),
  demo: setting(
    'NOTIF_DEMO',
    'Demo page, sample notifications, sandbox; unset: 1 without DATABASE_URL and NOTIF_PUBLIC_URL',
    flag.optional()
  ),
  dataDir: setting('NOTIF_DATA_DIR', 'Folder of the embedded database and of generated keys', text('.notif')),
  typesDir: setting(
    'NOTIF_TYPES_DIR',
    'Folder of notification types and templates, applied at start and on change',
    optional
  ),
  logLevel: setting(
    'NOTIF_LOG_LEVEL',
    'trace, debug, info, warn, error, fatal or silent',
    oneOf(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], 'info')
  ),
  listenUrl: setting(
    'DATABASE_LISTEN_URL',
    'Direct address of the database for LISTEN, if DATABASE_URL is that of a pooler',
    address('postgres:', 'postgresql:'),
    true
  ),
  hintsUrl: setting(
    'NOTIF_HINTS_URL',
    'Redis 7 or newer that tells nodes of changes, instead of NOTIFY: redis://, rediss:// or unix://',
    address('redis:', 'rediss:', 'unix:'),
    true
  ),
  connections: setting(
    'NOTIF_DB_CONNECTIONS',
    'Database connections for requests; workers get half as many in addition',
    whole(8, 2, 500)
  ),
  citusRoute: setting(
    'NOTIF_CITUS_ROUTE',
    'On a Citus cluster: coordinator, or owner to send statements about users straight to the worker that has their shard',
    oneOf(['coordinator', 'owner'], 'coordinator')
  ),
  ...EMAIL,
  ...PHONE,
  ...PUSH,
  slackUrl: setting(
    'NOTIF_SLACK_URL',
    'Base address of Slack: https://slack.com/api; unset: Slack messages stay in the sandbox',
    base('https:', 'http:')
  ),
  origins: setting(
    'NOTIF_ORIGINS',
    'Origins whose pages may call and connect to the first environment, comma-separated; * or unset: any',
    origins
  ),
  allowPrivate: setting(
    'NOTIF_ALLOW_PRIVATE',
    'CIDRs of private networks that requests to addresses from outside may reach, comma-separated',
    networks
  ),
  outboundPorts: setting(
    'NOTIF_OUTBOUND_PORTS',
    'Ports of public hosts that requests to addresses from outside may reach, comma-separated',
    ports([80, 443])
  ),
  ...RATES,
  ...LIMITS
} as const

export type Config = Values<typeof SETTINGS>

export const settingName = (key: keyof Config): string => SETTINGS[key].env

/** A demo shows sample content, and delivers nothing unless a provider is configured. */
export const isDemo = ({
  databaseUrl,
  demo,
  publicUrl
}: Pick<Config, 'databaseUrl' | 'demo' | 'publicUrl'>): boolean =>
  demo ?? (databaseUrl === undefined && publicUrl === undefined)

/** Web push needs no account of a provider, so only a demo keeps its messages in the sandbox. */
export const sendsWebPush = (config: Config): boolean => config.webPush ?? !isDemo(config)

/**
 * @param env - the process's environment
 * @returns the whole configuration, or every setting that is wrong
 */
export function readConfig(env: Environ): { config: Config } | { problems: readonly SettingProblem[] } {
  const { problems, values } = readSettings(SETTINGS, env)
  if (problems.length > 0) return { problems }
  const config = Object.freeze(values) as Config
  const providerProblems = [
    ...emailProblems(config),
    ...phoneProblems(config),
    ...pushProblems(config),
    ...oidcProblems(config)
  ]
  return providerProblems.length > 0
    ? { problems: providerProblems.map(({ detail, key }) => ({ detail, env: SETTINGS[key].env })) }
    : { config }
}

/** Lists are shown as they are set; roles by group as JSON. */
const toText = (value: unknown): string =>
  Array.isArray(value) && value.some(entry => typeof entry === 'object')
    ? JSON.stringify(
        Object.fromEntries((value as readonly GroupRole[]).map(({ group, role }) => [group, role]))
      )
    : String(value)

export interface ShownSetting {
  readonly name: string
  readonly meaning: string
  /** Null: it is not set. A secret, and credentials in an address, only as `[secret]`. */
  readonly value: string | null
  readonly default: string | null
  readonly isSecret: boolean
  readonly source: 'set' | 'default'
}

/** Lists all settings, without their secrets. */
export const listSettings = (config: Config): ShownSetting[] =>
  Object.entries(SETTINGS).map(([key, { doc, env, parse, secret }]) => {
    const show = (value: unknown): string | null => (value === undefined ? null : maskAddress(toText(value)))
    const value = show(config[key as keyof Config])
    const usual = show(parse.safeParse(undefined).data)
    return {
      name: env,
      meaning: doc,
      value: secret && value !== null ? '[secret]' : value,
      default: usual,
      isSecret: secret ?? false,
      source: value === usual ? 'default' : 'set'
    }
  })

/** One entry per setting, as a shell would set it, with its meaning. */
export const printConfig = (config: Config): string =>
  listSettings(config)
    .map(({ meaning, name, value }) => `# ${meaning}\n${name}=${value ?? ''}\n`)
    .join('\n')
