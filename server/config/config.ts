// Every setting in one table: name, default, meaning. Read once, checked whole, frozen, passed down.
//
// A limit is a setting where operators may have reasons for another one: memory, time, disk, connections, rates. It stays a
// constant beside its code where it is part of the interface that the reference tells (most items of a page, letters of an
// id), a rule of somebody else's (a provider, a protocol), or a step of work that nobody outside can notice.

import { locale } from '../core/locale.ts'
import { KEYS } from './credentials.ts'
import { MAIL, mailProblems } from './email.ts'
import {
  address,
  base,
  flag,
  networks,
  oneOf,
  optional,
  origins,
  ports,
  setting,
  text,
  whole,
  type Values
} from './parse.ts'
import { PHONE, phoneProblems } from './phone.ts'
import { PUSH, pushProblems } from './push.ts'
import { RATES } from './rates.ts'
import { readSettings, type Environ, type SettingProblem } from './read-config.ts'
import { ANSWERS } from './responses.ts'
import { LOGS } from './retention.ts'
import { SENDING } from './sends.ts'

const SETTINGS = {
  port: setting('PORT', 'Port of HTTP, Socket.IO and WebSocket', whole(3000, 0, 65_535)),
  host: setting('HOST', 'Address to listen on', text('127.0.0.1')),
  publicUrl: setting(
    'NOTIF_PUBLIC_URL',
    'Address that users reach the server at; default: http://HOST:PORT',
    address('http:', 'https:')
  ),
  databaseUrl: setting(
    'DATABASE_URL',
    'Postgres 15 or newer; unset: an embedded Postgres in the data directory',
    address('postgres:', 'postgresql:'),
    true
  ),
  listenUrl: setting(
    'DATABASE_LISTEN_URL',
    'Direct address for LISTEN where DATABASE_URL is a pooler',
    address('postgres:', 'postgresql:'),
    true
  ),
  connections: setting(
    'NOTIF_DB_CONNECTIONS',
    'Database connections for requests; queues get half as many',
    whole(8, 2, 500)
  ),
  databaseWait: setting(
    'NOTIF_DB_WAIT_SECONDS',
    'How long a start waits for the database of DATABASE_URL',
    whole(60, 0, 3600)
  ),
  dataDir: setting('NOTIF_DATA_DIR', 'Embedded database and generated keys', text('.notif')),
  ...KEYS,
  demo: setting(
    'NOTIF_DEMO',
    'Demo page, sample notifications, sandbox; default: 1 without DATABASE_URL and NOTIF_PUBLIC_URL',
    flag.optional()
  ),
  role: setting(
    'NOTIF_ROLE',
    'api (HTTP and sockets), worker (queues) or all',
    oneOf(['api', 'worker', 'all'], 'all')
  ),
  logLevel: setting(
    'NOTIF_LOG_LEVEL',
    'trace, debug, info, warn, error, fatal or silent',
    oneOf(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], 'info')
  ),
  typesDir: setting(
    'NOTIF_TYPES_DIR',
    'Folder of notification types and templates, applied at boot and on change',
    optional
  ),
  origins: setting(
    'NOTIF_ORIGINS',
    'Origins whose pages may call and connect, comma-separated; * for any; unset: any',
    origins
  ),
  trustedProxies: setting(
    'NOTIF_TRUSTED_PROXIES',
    'Addresses or CIDRs whose X-Forwarded-For counts, comma-separated',
    networks
  ),
  allowPrivate: setting(
    'NOTIF_ALLOW_PRIVATE',
    'CIDRs that the guarded way out may reach, comma-separated',
    networks
  ),
  outboundPorts: setting(
    'NOTIF_OUTBOUND_PORTS',
    'Ports of public hosts that the guarded way out may reach, comma-separated',
    ports([80, 443])
  ),
  outboundSeconds: setting(
    'NOTIF_OUTBOUND_SECONDS',
    'Longest time of one request of the guarded way out',
    whole(30, 1, 600)
  ),
  ...MAIL,
  slackUrl: setting(
    'NOTIF_SLACK_URL',
    'Base address of Slack: https://slack.com/api; unset: its messages stay in the sandbox',
    base('https:', 'http:')
  ),
  slackConnections: setting(
    'NOTIF_SLACK_CONNECTIONS',
    'Messages to Slack under way at once',
    whole(10, 1, 200)
  ),
  ...PUSH,
  ...PHONE,
  bodyLimit: setting(
    'NOTIF_BODY_LIMIT',
    'Largest request body in bytes',
    whole(512 * 1024, 1024, 64 * 1024 * 1024)
  ),
  depthLimit: setting('NOTIF_DEPTH_LIMIT', 'Deepest nesting of a request body', whole(32, 4, 1000)),
  keysLimit: setting('NOTIF_KEYS_LIMIT', 'Most keys in one request body', whole(10_000, 10, 1_000_000)),
  ...ANSWERS,
  ...SENDING,
  ...RATES,
  propertiesLimit: setting('NOTIF_PROPERTIES_LIMIT', 'Most own properties of one user', whole(25, 0, 1000)),
  devicesLimit: setting(
    'NOTIF_DEVICES_LIMIT',
    'Most devices of one user: those seen last are kept',
    whole(200, 1, 10_000)
  ),
  preferencesLimit: setting(
    'NOTIF_PREFERENCES_LIMIT',
    'Most stored preferences of one user',
    whole(1000, 1, 100_000)
  ),
  inboxPageBytes: setting(
    'NOTIF_INBOX_PAGE_BYTES',
    'Bytes of one page of an inbox; what is more comes with the next one, and one notification always comes. Whoever missed or marked more than that is told to ask again',
    whole(4 * 1024 * 1024, 1000, 1024 * 1024 * 1024)
  ),
  socketBacklog: setting(
    'NOTIF_SOCKET_BACKLOG',
    'Unsent bytes after which a slow socket is dropped',
    whole(1_000_000, 10_000, 1_000_000_000)
  ),
  groupSize: setting('NOTIF_GROUP_SIZE', 'Most sends written in one transaction', whole(200, 1, 5000)),
  queueLimit: setting(
    'NOTIF_QUEUE_LIMIT',
    'Sends waiting for a transaction above which requests get 503',
    whole(5000, 1, 1_000_000)
  ),
  queueBytes: setting(
    'NOTIF_QUEUE_BYTES',
    'Bytes of sends that wait for a transaction, or are in one, above which requests get 503',
    whole(64 * 1024 * 1024, 1024, 64 * 1024 * 1024 * 1024)
  ),
  locale: setting(
    'NOTIF_LOCALE',
    'Language (BCP 47) of templates that name none: for dates, and as lang of mails',
    locale.optional()
  ),
  pieces: setting('NOTIF_PIECES', 'Most layouts and partials of an environment', whole(500, 1, 10_000)),
  pieceDepth: setting('NOTIF_PIECE_DEPTH', 'How deep partials may use partials', whole(8, 1, 50)),
  pieceCount: setting(
    'NOTIF_PIECE_COUNT',
    'Most layouts and partials that are put into one text',
    whole(200, 1, 5000)
  ),
  renderMillis: setting('NOTIF_RENDER_MILLIS', 'Longest time for one template', whole(200, 1, 60_000)),
  renderBytes: setting(
    'NOTIF_RENDER_BYTES',
    'Most bytes that one template may make',
    whole(1_000_000, 1000, 100_000_000)
  ),
  ...LOGS,
  drainSeconds: setting(
    'NOTIF_DRAIN_SECONDS',
    'Longest time that SIGTERM waits for work in flight',
    whole(25, 1, 600)
  )
} as const

export type Config = Values<typeof SETTINGS>

export const envOf = (key: keyof Config): string => SETTINGS[key].env

/** A look at the product, or a machine of one's own: sample content, and nothing leaves it unasked. */
export const isDemo = ({
  databaseUrl,
  demo,
  publicUrl
}: Pick<Config, 'databaseUrl' | 'demo' | 'publicUrl'>): boolean =>
  demo ?? (databaseUrl === undefined && publicUrl === undefined)

/** It needs no account anywhere, so only a demo keeps its messages to itself. */
export const pushesToBrowsers = (config: Config): boolean => config.webPush ?? !isDemo(config)

/** What no setting can know alone. */
function crossCheck(config: Config): SettingProblem[] {
  const problems: SettingProblem[] = []
  const ordered = (lower: keyof Config, upper: keyof Config) => {
    if (Number(config[lower]) <= Number(config[upper])) return
    const detail = `It must not be more than ${SETTINGS[upper].env}, which is ${String(config[upper])}.`
    problems.push({ detail, env: SETTINGS[lower].env })
  }
  ordered('mergeTagsWarn', 'mergeTagsLimit')
  ordered('mergeTagsLimit', 'bodyLimit')
  ordered('groupSize', 'queueLimit')
  const provided = [...mailProblems(config), ...phoneProblems(config), ...pushProblems(config)]
  problems.push(...provided.map(({ detail, key }) => ({ detail, env: SETTINGS[key].env })))
  return problems
}

/**
 * @param env - the process's environment
 * @returns the whole configuration, or every setting that is wrong
 */
export function readConfig(env: Environ): { config: Config } | { problems: readonly SettingProblem[] } {
  const { problems, values } = readSettings(SETTINGS, env)
  if (problems.length > 0) return { problems }
  const config = Object.freeze(values) as Config
  const crossed = crossCheck(config)
  return crossed.length > 0 ? { problems: crossed } : { config }
}

/** One line for each setting, as a shell would set it, with its meaning; secrets only as `[secret]`. */
export function printConfig(config: Config): string {
  const lines = Object.entries(SETTINGS).map(([name, { env, doc, secret }]) => {
    const value = config[name as keyof Config]
    const shown = value === undefined ? '' : secret ? '[secret]' : String(value)
    return `# ${doc}\n${env}=${shown}\n`
  })
  return lines.join('\n')
}
