// npm run chaos [seconds]: two nodes, a database and providers under every fault at once, for ten minutes.
//
// Nodes are killed and frozen past their leases, the database is killed, its connections go dead, and providers refuse,
// disconnect, hang and lose their answers. At the end every accepted send must have been delivered. Every wait has a
// time-out, whose error shows the state of the run.

import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'

import { until, untilCount, type ServerProcess } from '../support/process.ts'
import { random } from '../support/random.ts'
import { startCallers } from './callers.ts'
import { openField } from './cluster.ts'
import { balance } from './conservation.ts'
import { MOODS } from './ledger.ts'
import { assertPausesAreFree, hurry, pausedQueues } from './pauses.ts'
import { openProviders } from './providers.ts'
import { tell } from './run-state.ts'
import { refusalsOf, triesIn } from './server-records.ts'
import { introduce, sendToAllChannels } from './users.ts'
import { judge, type Cause } from './verdict.ts'

const CALLERS = 3
/** Milliseconds between two sends of a caller, so that draining does not take longer than the faults. */
const BREATH = { long: 500, short: 100 }
const USERS = 40
/** Milliseconds for which a fault mode waits for a message. A queue that is still paused may miss this mode. */
const MEET = 5_000
/** Milliseconds for the remaining rows after the faults, and for a time without any delivery. */
const REST = 60_000
/** Seconds of a run that is long enough to wait for the end of leases, and milliseconds of the lease of a push. */
const LONG = 300
const LEASE = 40_000
/** Code of a call with an uncertain outcome. */
const UNSURE = new Set(['cut', 'lost', 'stopped', 'timeout'])

export interface Chaos {
  readonly faults: Readonly<Record<string, number>>
  /** Messages that met each faultMode of the providers. */
  readonly met: Readonly<Record<string, number>>
  readonly sends: number
  /** Requests that were repeated, by why. */
  readonly repeats: Readonly<Record<string, number>>
  /** Messages that a provider took more than once, and why; no call is among them. */
  readonly doubles: Readonly<Record<Cause, number>>
  /** Calls that were given up, because it is unknown whether the phone rang. */
  readonly unsure: number
  /** Rows that waited after the faults because of a pause, which used no attempt. */
  readonly paused: number
}

/**
 * @param seconds - of faults; each fault occurs at least once, and the draining after them takes as long as it needs
 * @throws AssertionError with the seed and what is lost, doubled without a reason, or out of balance
 */
export async function chaos(seconds: number, say: (line: string) => void): Promise<Chaos> {
  const next = random()
  const seed = `seed ${next.seed}`
  say(seed)
  await using providers = await openProviders()
  await using field = await openField(providers.envOf)
  const { ledger } = providers
  const { balancer, lives, nodes, proxy, sql } = field
  await introduce(balancer.base, USERS, providers.subscription)
  using callers = startCallers(() => balancer.base, {
    body: sendToAllChannels,
    callers: CALLERS,
    rest: seconds >= LONG ? BREATH.long : BREATH.short,
    users: USERS
  })
  const faults: Record<string, number> = {}
  const moved: number[] = []

  const pick = async (): Promise<ServerProcess> => {
    await field.joined()
    return nodes[next(nodes.length)]!
  }
  /**
   * Hits a node, half the time one that is just receiving an acknowledgement, so that the acknowledgement is lost with it.
   *
   * @returns the node
   */
  const hit = async (signal: 'SIGKILL' | 'SIGSTOP'): Promise<ServerProcess> => {
    let node = await pick()
    let isHit = false
    if (next(2) === 0) {
      ledger.faultMode = 'fine'
      ledger.onAcknowledge = number => {
        const acknowledged = lives.get(number)?.process
        if (isHit || !acknowledged || !nodes.includes(acknowledged)) return
        node = acknowledged
        isHit = node.child.kill(signal)
      }
      await until(() => isHit, 'a yes', MEET).catch(() => {})
      ledger.onAcknowledge = undefined
    }
    if (!isHit) node.child.kill(signal)
    return node
  }
  const STORM: Readonly<Record<string, () => Promise<void>>> = {
    async 'a node is killed'() {
      await field.kill(await hit('SIGKILL'))
      void field.join()
    },
    async 'a node is frozen past its leases'() {
      const node = await hit('SIGSTOP')
      await callers.more(10)
      // Moves the rows as if the leases had ended, instead of waiting.
      moved.push(performance.now())
      await sql`update outbox set run_at = now() where leased`.catch(() => {})
      await callers.more(10)
      node.child.kill('SIGCONT')
    },
    ...(seconds >= LONG && {
      async 'a node is frozen until its leases have ended'() {
        const node = await hit('SIGSTOP')
        await pause(LEASE)
        node.child.kill('SIGCONT')
      }
    }),
    async 'the database is killed'() {
      process.kill(field.databasePid(), 'SIGKILL')
      await callers.more(10)
    },
    async 'lines to the database go dead'() {
      proxy.strand()
      await callers.more(10)
    },
    ...Object.fromEntries(
      MOODS.map(faultMode => [
        `providers are ${faultMode}`,
        async () => {
          const before = ledger.met.get(faultMode) ?? 0
          ledger.faultMode = faultMode
          await callers.more(10)
          await until(() => (ledger.met.get(faultMode) ?? 0) > before, faultMode, MEET).catch(() => {})
        }
      ])
    )
  }

  try {
    const end = performance.now() + seconds * 1000
    let bag: string[] = []
    // Each fault once before any is repeated, so that a short run has all of them.
    while (performance.now() < end || bag.length > 0) {
      if (bag.length === 0) bag = Object.keys(STORM)
      const [name] = bag.splice(next(bag.length), 1)
      faults[name!] = (faults[name!] ?? 0) + 1
      say(`${Math.round(performance.now() / 1000)} s, ${callers.accepted.size} sends: ${name}`)
      await STORM[name!]!()
      await callers.more(10)
    }
    await field.joined()
    ledger.faultMode = 'busy'
    // The first query may fail because the database was killed.
    await until(async () => (await pausedQueues(sql).catch(() => 0)) > 1, 'rows wait after a pause', REST)
    await callers.finish()
    say(`calm after ${callers.accepted.size} sends: ${JSON.stringify(faults)}`)
    while (nodes.length > 0) await field.kill(nodes[0]!)
    const paused = await assertPausesAreFree(sql, seed)

    ledger.faultMode = 'fine'
    moved.push(performance.now())
    await sql`update outbox set run_at = now()`
    await field.join()
    await untilCount(
      () => hurry(sql),
      left => left === 0,
      'everything is delivered',
      REST
    )

    assert.deepEqual(callers.split, [], seed)
    const { doubled, drifted, lost, sends } = await balance(sql)
    assert.deepEqual({ doubled, drifted, lost }, { doubled: [], drifted: [], lost: [] }, seed)
    assert.equal(sends, callers.accepted.size, seed)
    const dead = await sql<{ queue: string; code: string; detail: string; id: string }[]>`
      select queue, code, detail, send_id as id from dead_letters`
    const wrong = dead.filter(({ code, queue }) => queue !== 'CALL' || !UNSURE.has(code))
    assert.deepEqual(wrong, [], `${seed}: no fault of a minute may use up all tries`)
    const unsure = new Set(dead.map(({ id }) => id))
    const { doubles, groundless, missing } = judge({
      accepted: callers.accepted,
      killed: new Map([...lives].flatMap(([node, { killed }]) => (killed ? [[node, killed]] : []))),
      moved,
      refused: refusalsOf(lives),
      taken: ledger.taken,
      tries: await triesIn(sql),
      unsure
    })
    assert.deepEqual(missing, [], `${seed}: accepted, not dead, and never delivered`)
    assert.deepEqual(groundless, [], `${seed}: delivered twice without a reason, or a phone rang twice`)
    const counts = { met: Object.fromEntries(ledger.met), repeats: Object.fromEntries(callers.repeats) }
    return { ...counts, doubles, faults, paused, sends, unsure: unsure.size }
  } catch (error) {
    say(await tell({ callers, ledger, nodes, sql }))
    throw error
  }
}

if (import.meta.main) {
  const seconds = Number(process.argv[2] ?? 600)
  console.log(JSON.stringify(await chaos(seconds, line => console.error(line))))
}
