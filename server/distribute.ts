// `npm run distribute`: distributes a database that has rows over the nodes of a Citus cluster, while the server is stopped.

import { readConfig } from './config/config.ts'
import { StartupError } from './core/startup-error.ts'
import { distributeDatabase } from './db/citus/distribute.ts'

const complain = (line: string): void => void process.stderr.write(`notif-kit: ${line}\n`)
const say = (line: string): void => void process.stdout.write(`notif-kit: ${line}\n`)

async function run(): Promise<number> {
  const read = readConfig(process.env)
  if ('problems' in read) {
    for (const { env, detail } of read.problems) complain(`${env}: ${detail}`)
    return 1
  }
  const { databaseUrl, listenUrl } = read.config
  if (databaseUrl === undefined) {
    complain('DATABASE_URL: set it to the address of the coordinator')
    return 1
  }
  try {
    const count = await distributeDatabase(listenUrl ?? databaseUrl, ({ left, rowCount, table }) =>
      say(`distributed ${table}, ${rowCount} rows; tables left: ${left}`)
    )
    say(count === 0 ? 'all tables were distributed before' : 'all tables are distributed; start the server')
    return 0
  } catch (error) {
    if (!(error instanceof StartupError)) throw error
    complain(error.message)
    return 1
  }
}

process.exitCode = await run()
