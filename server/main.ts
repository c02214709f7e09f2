// The command line of the process: arguments, messages for the operator, signals and exit codes.

import { resolveTxt } from 'node:dns/promises'

import { boot, bootProcesses, type Running } from './boot.ts'
import { probeEmail } from './channels/email/probe.ts'
import { printConfig, readConfig, type Config } from './config/config.ts'
import { StartupError } from './core/startup-error.ts'
import { checkDatabase } from './db/check-database.ts'
import { assertRoute } from './db/citus/owners.ts'
import { findDriverProblem } from './db/driver-patch.ts'
import { hasParent, openParentChannel } from './process/siblings/parent-channel.ts'
import { assertReadableFolder } from './types/check-types-folder.ts'

const USAGE = `npm start                start the server; settings come from the environment
npm start -- --check     check the settings, the database and the login at the mail server, then exit
npm start -- --print     print all settings with their meaning, secrets masked, then exit`

// A reader of the output, such as a log shipper, may exit first. The write error then must not end this process.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})

const CLOSE_TIMEOUT_MS = 20_000
const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const

const say = (line: string): void => void process.stdout.write(`notif-kit: ${line}\n`)
const complain = (line: string): void => void process.stderr.write(`notif-kit: ${line}\n`)

/** @returns undefined after it has printed what is wrong */
function readSettings(): Config | undefined {
  const result = readConfig(process.env)
  if ('config' in result) return result.config
  for (const { env, detail } of result.problems) complain(`${env}: ${detail}`)
  return undefined
}

/** Prints the address of a started server, and the credentials that this start generated. */
function printReady({ base, keys, demo }: Running, config: Config): void {
  const publicAddress = config.publicUrl === undefined ? '' : `, for users at ${config.publicUrl}`
  const database = config.databaseUrl === undefined ? `, embedded database in ${config.dataDir}` : ''
  say(
    `ready at ${base}${demo ? ' (open it to see the demo page)' : ' (the reference is at /docs)'}${publicAddress}${database}`
  )
  const { clientSecret, adminToken } = keys.fresh
  if (clientSecret === undefined && adminToken === undefined) return
  const parts = [
    `client id ${keys.clientId}`,
    ...(clientSecret === undefined ? [] : [`client secret ${clientSecret}`]),
    ...(adminToken === undefined ? [] : [`admin token ${adminToken}`])
  ]
  say(`${parts.join(', ')} (shown only once)`)
}

/** The first signal drains, the second exits immediately. The guard process of the embedded database then stops it. */
function watchSignals(
  config: Config,
  abandon: AbortController,
  running: () => Running | undefined
): () => void {
  let isStopping = false
  const stop = (): void => {
    if (isStopping) {
      complain('stopped immediately')
      process.exit(1)
    }
    isStopping = true
    const current = running()
    // An unfinished start has no work in progress, but requests may wait for it.
    if (!current) {
      abandon.abort()
      process.exit(0)
    }
    if (!hasParent()) say('stopping; send the signal again to stop immediately')
    const timeout = setTimeout(
      () => {
        complain('not stopped in time; exiting')
        process.exit(1)
      },
      config.drainSeconds * 1000 + CLOSE_TIMEOUT_MS
    )
    timeout.unref()
    current.stop().then(
      () => process.exit(0),
      (error: unknown) => fail(error)
    )
  }
  // Of several processes only the parent listens: a terminal sends its signal to all of them.
  for (const name of SIGNALS) process.on(name, hasParent() ? () => {} : stop)
  return stop
}

function fail(error: unknown): never {
  if (error instanceof StartupError) complain(error.message)
  else complain(error instanceof Error ? (error.stack ?? error.message) : String(error))
  process.exit(1)
}

/** Fails for a database that does not answer, and for a mail server that refuses the login. Missing DNS records are only reported, because they may be added later. */
async function check(config: Config): Promise<void> {
  if (config.typesDir !== undefined) await assertReadableFolder(config.typesDir)
  say('the settings are right')
  const { databaseUrl: url, listenUrl } = config
  if (url !== undefined) {
    const address = { listenUrl: listenUrl ?? url, url }
    assertRoute(config.citusRoute, address)
    say(await checkDatabase(address, say))
  }
  for (const { state, detail } of await probeEmail(config, resolveTxt)) {
    if (state === 'ok') say(detail)
    else complain(`${state}: ${detail}`)
    if (state === 'failed') process.exitCode = 1
  }
}

async function main(args: readonly string[]): Promise<void> {
  const problem = findDriverProblem()
  if (problem !== undefined) {
    complain(problem)
    process.exitCode = 1
    return
  }
  const unknown = args.find(arg => !['--check', '--print', '--help'].includes(arg))
  if (unknown !== undefined || args.includes('--help')) {
    if (unknown !== undefined) complain(`Unknown argument ${unknown}.`)
    process.stdout.write(`${USAGE}\n`)
    process.exitCode = unknown === undefined ? 0 : 1
    return
  }
  const config = readSettings()
  if (config === undefined) {
    process.exitCode = 1
    return
  }
  if (args.includes('--print')) process.stdout.write(printConfig(config))
  if (args.includes('--check')) await check(config).catch(fail)
  if (args.length > 0) return

  let running: Running | undefined
  const abandon = new AbortController()
  const stop = watchSignals(config, abandon, () => running)
  try {
    if (hasParent()) {
      const parent = await openParentChannel(stop)
      running = await boot(config, say, abandon.signal, parent)
      const { base, demo, keys } = running
      const { clientId, fresh } = keys
      return parent.ready({ base, demo, keys: { clientId, fresh } })
    }
    const hasProcesses = config.processes > 1
    running = hasProcesses
      ? await bootProcesses(config, say, import.meta.filename)
      : await boot(config, say, abandon.signal)
    printReady(running, config)
  } catch (error) {
    fail(error)
  }
}

await main(process.argv.slice(2))
