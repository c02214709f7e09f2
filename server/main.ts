// The process: its arguments, what it prints for a person, its signals and its exit codes.

import { boot, type Running } from './boot.ts'
import { probeMail } from './channels/email/probe/start-probes.ts'
import { printConfig, readConfig, type Config } from './config/config.ts'
import { StartupError } from './core/startup-error.ts'
import { findDriverProblem } from './db/driver-patch.ts'
import { lookInto } from './types/types-dir.ts'

const USAGE = `npm start                start the server; settings come from the environment
npm start -- --check     say whether the settings are right and the mail server lets us in, and end
npm start -- --print     print all settings with their meaning, secrets masked, and end`

// Who read our words may go before us, such as a log shipper that is restarted: that ends nothing, least of all a stop half way.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})

const say = (line: string): void => void process.stdout.write(`notif-kit: ${line}\n`)
const complain = (line: string): void => void process.stderr.write(`notif-kit: ${line}\n`)

function settings(): Config | undefined {
  const read = readConfig(process.env)
  if ('config' in read) return read.config
  for (const { env, detail } of read.problems) complain(`${env}: ${detail}`)
  return undefined
}

function introduce({ base, keys, demo }: Running, config: Config): void {
  const place = config.publicUrl === undefined ? '' : `, for users at ${config.publicUrl}`
  const database = config.databaseUrl === undefined ? `, embedded database in ${config.dataDir}` : ''
  say(`ready at ${base}${demo ? ' (open it: the demo page)' : ' (/docs: the reference)'}${place}${database}`)
  const { clientSecret, adminToken } = keys.fresh
  if (clientSecret === undefined && adminToken === undefined) return
  const parts = [
    `client id ${keys.clientId}`,
    ...(clientSecret === undefined ? [] : [`client secret ${clientSecret}`]),
    ...(adminToken === undefined ? [] : [`admin token ${adminToken}`])
  ]
  say(`${parts.join(', ')} (shown only this once)`)
}

/** The first signal drains, the second ends at once; the embedded database is stopped by its guard then. */
function watchSignals(config: Config, abandon: AbortController, running: () => Running | undefined): void {
  let ending = false
  const end = (): void => {
    if (ending) {
      complain('stopped at once')
      process.exit(1)
    }
    ending = true
    const current = running()
    // Nothing is under way before the start is complete, but somebody may wait for it.
    if (!current) {
      abandon.abort()
      process.exit(0)
    }
    say('stopping; once more to stop at once')
    const late = setTimeout(
      () => {
        complain('could not stop in time')
        process.exit(1)
      },
      config.drainSeconds * 1000 + 20_000
    )
    late.unref()
    current.stop().then(
      () => process.exit(0),
      (error: unknown) => fail(error)
    )
  }
  for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(name, end)
}

function fail(error: unknown): never {
  if (error instanceof StartupError) complain(error.message)
  else complain(error instanceof Error ? (error.stack ?? error.message) : String(error))
  process.exit(1)
}

/** A mail server that does not let us in is a wrong setting; what the DNS says may come later. */
async function check(config: Config): Promise<void> {
  if (config.typesDir !== undefined) await lookInto(config.typesDir)
  say('the settings are right')
  for (const { state, words } of await probeMail(config)) {
    if (state === 'ok') say(words)
    else complain(`${state}: ${words}`)
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
    if (unknown !== undefined) complain(`There is no argument ${unknown}.`)
    process.stdout.write(`${USAGE}\n`)
    process.exitCode = unknown === undefined ? 0 : 1
    return
  }
  const config = settings()
  if (config === undefined) {
    process.exitCode = 1
    return
  }
  if (args.includes('--print')) process.stdout.write(printConfig(config))
  if (args.includes('--check')) await check(config).catch(fail)
  if (args.length > 0) return

  let running: Running | undefined
  const abandon = new AbortController()
  watchSignals(config, abandon, () => running)
  try {
    running = await boot(config, say, abandon.signal)
  } catch (error) {
    fail(error)
  }
  introduce(running, config)
}

await main(process.argv.slice(2))
