// Time of the processor that processes used: no other process of the machine is in it.

import { readdirSync, readFileSync } from 'node:fs'

/** Linux counts in hundredths of a second. */
const US_PER_TICK = 10_000

/** Fields of a `stat` file behind the name of the program, which may contain anything. */
function readStat(path: string): readonly string[] {
  const text = readFileSync(path, 'utf8')
  return text.slice(text.lastIndexOf(')') + 2).split(' ')
}

const timeIn = (stat: readonly string[]): number => (Number(stat[11]) + Number(stat[12])) * US_PER_TICK

/** Microseconds of a process, with all its threads. */
export const processTime = (pid: number): number => timeIn(readStat(`/proc/${pid}/stat`))

/** Microseconds of a process and of those that it started and that still run. */
export function familyTime(pid: number): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean)
  return processTime(pid) + children.reduce((sum, child) => sum + familyTime(Number(child)), 0)
}

/** Microseconds of the main thread of a process: the one that runs JavaScript. */
export const mainThreadTime = (pid: number): number => timeIn(readStat(`/proc/${pid}/task/${pid}/stat`))

/**
 * Microseconds of all processes of a Postgres on this machine.
 *
 * @param backend - process id of one of its connections
 */
export function postgresTime(backend: number): number {
  const parent = readStat(`/proc/${backend}/stat`)[1]!
  let total = 0
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    try {
      const stat = readStat(`/proc/${name}/stat`)
      // A connection that has ended is counted with the parent.
      if (name === parent) total += timeIn(stat) + (Number(stat[13]) + Number(stat[14])) * US_PER_TICK
      else if (stat[1] === parent) total += timeIn(stat)
    } catch {
      // It has ended meanwhile.
    }
  }
  return total
}
