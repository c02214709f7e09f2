// Which of the sends of a transaction pass their gates. Sends without gates, which are most, cost no statement.

import type { Group, Tx } from '../../db/db.ts'
import { lockGates, saveGates, type GateKey, type Passed } from './rate-control.sql.ts'
import { counting, forgottenAt, type Gate, type Held } from './rate-control.ts'

/** A send before its gates. */
export interface Gated extends Omit<GateKey, 'print'> {
  /** In the order in which they are asked. */
  readonly gates: readonly Gate[]
}

const nameOf = ({ bucket, envId, userId, notificationId, print }: GateKey): string =>
  JSON.stringify([bucket, envId, userId, notificationId, print])

const keyOf = ({ bucket, envId, userId, notificationId }: Gated, { print }: Gate): GateKey => ({
  bucket,
  envId,
  notificationId,
  print,
  userId
})

/**
 * Decides in the caller's transaction, which holds the gates until it ends.
 *
 * @param asked - in the order in which they came; undefined: no gates
 * @returns for each what holds it back; undefined: it passes
 */
export async function admit(
  tx: Tx,
  group: Group,
  asked: readonly (Gated | undefined)[]
): Promise<(Held | undefined)[]> {
  const all = asked.flatMap(one => one?.gates.map(gate => keyOf(one, gate)) ?? [])
  if (all.length === 0) return asked.map(() => undefined)
  const keys = new Map(all.map(key => [nameOf(key), key]))
  const states = new Map(
    (await lockGates(tx, [...keys.values()])).map(state => [nameOf(state), { ...state }])
  )
  const changed = new Map<string, Passed>()
  const held = asked.map(one => {
    if (!one) return undefined
    const open = one.gates.map(gate => {
      const name = nameOf(keyOf(one, gate))
      const state = states.get(name)!
      return { gate, name, passed: counting(state.passed, gate.span, state.at), state }
    })
    const closed = open.find(({ gate, passed }) => passed.length >= gate.max)
    if (closed) return closed.gate.held
    for (const { gate, name, passed, state } of open) {
      state.passed = [...passed, state.at]
      changed.set(name, { ...state, forgottenAt: forgottenAt(gate.span, state.at) })
    }
    return undefined
  })
  if (changed.size > 0) await saveGates(tx, group, [...changed.values()])
  return held
}
