// npm run bench [-- names] [--quick] [--rows 10M] [--sockets 10000]: measures, prints a table, and writes test/bench/results/latest.json.
//
// Loopback only; whatever it starts ends with it. Ours and what it is held against take turns in the same run, so look
// at the ratios: the rest depends on the machine and on what else it does, which is why its load is written down too.

import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus, loadavg, totalmem } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

import postgres from 'postgres'

import { openPostgres } from '../support/postgres.ts'
import { accept } from './accept.ts'
import { broadcasts } from './broadcasts.ts'
import { bytes } from './bytes.ts'
import { citus } from './citus.ts'
import { collections } from './collections.ts'
import { dashboard } from './dashboard.ts'
import { drain } from './drain.ts'
import { email } from './email.ts'
import { feed } from './feed.ts'
import { growth } from './growth.ts'
import { hints } from './hints.ts'
import { idle } from './idle.ts'
import { lateness } from './lateness.ts'
import { leaks } from './leaks.ts'
import { lists } from './lists.ts'
import { logs } from './logs.ts'
import type { Measurement, Say } from './measure.ts'
import { memory, memoryLong } from './memory.ts'
import { opening } from './opening.ts'
import { processes } from './processes.ts'
import { queues } from './queues.ts'
import { receipt } from './receipt.ts'
import { render } from './render.ts'
import { sockets } from './sockets.ts'
import { store } from './store.ts'
import { writes } from './writes.ts'

const RESULTS = join(import.meta.dirname, 'results')

interface Entry {
  readonly run: (say: Say) => Promise<Measurement[]>
  readonly rounds: number
  /** Of one side in one round. */
  readonly seconds: number
  /** Only where it is named: it takes much longer than the others. */
  readonly named?: true
}

/** Together about fifteen minutes. */
const ALL: Readonly<Record<string, Entry>> = {
  accept: { rounds: 5, run: accept, seconds: 2 },
  lists: { rounds: 5, run: lists, seconds: 2 },
  broadcasts: { rounds: 3, run: broadcasts, seconds: 2 },
  receipt: { rounds: 3, run: receipt, seconds: 3 },
  drain: { rounds: 3, run: drain, seconds: 0 },
  queues: { rounds: 3, run: queues, seconds: 0 },
  email: { rounds: 5, run: email, seconds: 0 },
  lateness: { rounds: 1, run: lateness, seconds: 0 },
  writes: { rounds: 3, run: writes, seconds: 2 },
  growth: { rounds: 3, run: growth, seconds: 0 },
  logs: { rounds: 5, run: logs, seconds: 0 },
  bytes: { rounds: 1, run: bytes, seconds: 0 },
  feed: { rounds: 5, run: feed, seconds: 0 },
  opening: { rounds: 5, run: opening, seconds: 0 },
  leaks: { rounds: 1, run: leaks, seconds: 0 },
  memory: { named: true, rounds: 2, run: memory, seconds: 0 },
  'memory-long': { named: true, rounds: 2, run: memoryLong, seconds: 0 },
  dashboard: { named: true, rounds: 20, run: dashboard, seconds: 0 },
  processes: { named: true, rounds: 5, run: processes, seconds: 3 },
  collections: { named: true, rounds: 5, run: collections, seconds: 4 },
  citus: { named: true, rounds: 5, run: citus, seconds: 3 },
  hints: { named: true, rounds: 3, run: hints, seconds: 5 },
  sockets: { named: true, rounds: 1, run: sockets, seconds: 5 },
  idle: { rounds: 1, run: idle, seconds: 0 },
  render: { rounds: 3, run: render, seconds: 1 },
  store: { rounds: 7, run: store, seconds: 0 }
}

function readArguments() {
  try {
    const options = {
      quick: { default: false, type: 'boolean' },
      rows: { default: '1M', type: 'string' },
      sockets: { default: '10000', type: 'string' }
    } as const
    const { positionals: names, values } = parseArgs({ allowPositionals: true, options })
    const [, millions] = /^(\d+)M$/.exec(values.rows) ?? []
    const socketCount = Number(values.sockets)
    if (!Number.isInteger(socketCount) || socketCount < 1) throw new Error('No number of sockets.')
    if (millions === undefined || names.some(name => !ALL[name])) throw new Error('Unknown words.')
    return { names, quick: values.quick, rows: Number(millions) * 1_000_000, socketCount }
  } catch {
    console.error(`npm run bench -- [${Object.keys(ALL).join('|')}] [--quick] [--rows 10M] [--sockets 10000]`)
    process.exit(1)
  }
}
const { names, quick, rows: size, socketCount } = readArguments()

const began = performance.now()
const tell = (line: string): void =>
  console.error(`${((performance.now() - began) / 1000).toFixed(0).padStart(4)} s  ${line}`)

const number = (value: number): string =>
  value >= 100 ? Math.round(value).toLocaleString('en') : value.toFixed(value < 10 ? 2 : 1)

/** Whether the value or the ratio holds what was promised. */
function verdict({
  better,
  floor,
  goal,
  ours,
  promised = 'ratio',
  ratio = NaN,
  spread
}: Measurement): string {
  if (floor === undefined || goal === undefined) return ''
  if (spread !== undefined) return 'unsteady'
  const value = promised === 'ratio' ? ratio : ours
  const reaches = (mark: number): boolean => (better === 'above' ? value >= mark : value <= mark)
  return reaches(goal) ? 'goal' : reaches(floor) ? 'floor' : 'MISSED'
}

function row(measurement: Measurement): string[] {
  const { ceiling, floor, goal, name, ours, ratio, unit } = measurement
  return [
    name,
    `${number(ours)} ${unit}`,
    ceiling ? `${number(ceiling.value)} ${ceiling.name}` : '',
    ratio === undefined ? '' : ratio.toFixed(2),
    floor === undefined ? '' : `${number(floor)} / ${number(goal!)}`,
    verdict(measurement)
  ]
}

function print(measurements: readonly Measurement[]): void {
  const rows = [['', 'ours', 'beside', 'ratio', 'floor / goal', ''], ...measurements.map(row)]
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map(cells => cells[column]!.length)))
  for (const cells of rows) {
    console.log(
      cells
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('  ')
        .trimEnd()
    )
  }
  for (const { facts, name } of measurements) {
    const told = Object.entries(facts ?? {}).map(([key, value]) => `${key} ${number(value)}`)
    if (told.length > 0) console.log(`${name}: ${told.join(', ')}`)
  }
}

async function postgresVersion(url: string): Promise<string> {
  const sql = postgres(url, { max: 1 })
  try {
    const [found] = await sql<{ version: string }[]>`select current_setting('server_version') as version`
    return found!.version
  } finally {
    await sql.end()
  }
}

const commit = (): string => {
  try {
    return execFileSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8' }).trim()
  } catch {
    return ''
  }
}

async function main(): Promise<void> {
  await using server = process.env['DATABASE_URL'] ? undefined : await openPostgres()
  if (server) process.env['DATABASE_URL'] = server.url
  const url = process.env['DATABASE_URL']!
  const loadBefore = loadavg()[0]!
  const measurements: Measurement[] = []
  const failures: Record<string, string> = {}
  for (const [name, entry] of Object.entries(ALL)) {
    if (names.length > 0 ? !names.includes(name) : entry.named) continue
    tell(name)
    const rounds = quick ? 1 : entry.rounds
    const seconds = quick ? Math.min(1, entry.seconds) : entry.seconds
    try {
      measurements.push(
        ...(await entry.run({
          rounds,
          rows: size,
          say: line => tell(`  ${line}`),
          seconds,
          sockets: socketCount
        }))
      )
    } catch (error) {
      // One that cannot run here (no pgbench, no browser) leaves the others standing.
      failures[name] = String(error instanceof Error ? error.message : error)
      tell(`  failed: ${failures[name]}`)
    }
  }
  print(measurements)
  const result = {
    at: new Date().toISOString(),
    commit: commit(),
    failures,
    machine: {
      cores: availableParallelism(),
      /** Of others, before we began: above the number of cores the times are theirs as much as ours. */
      loadBefore,
      memoryGb: Math.round(totalmem() / 2 ** 30),
      model: cpus()[0]?.model ?? '',
      node: process.version,
      postgres: await postgresVersion(url)
    },
    measurements,
    quick
  }
  mkdirSync(RESULTS, { recursive: true })
  const file = join(RESULTS, names.length > 0 || quick ? 'partial.local.json' : 'latest.json')
  writeFileSync(file, `${JSON.stringify(result, null, 2)}\n`)
  tell(`written to ${file}`)
  const missed = measurements.some(measurement => verdict(measurement) === 'MISSED')
  process.exitCode = missed || Object.keys(failures).length > 0 ? 1 : 0
}

await main()
