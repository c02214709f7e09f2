// Each delayed channel is sent exactly if its condition does not hold when its time comes, and never twice: for random marks, items
// that come back to the top, workers that stop and start, and clocks of nodes that jump.

import assert from 'node:assert/strict'

import { testSeeds } from '../../support/generated.ts'
import { random } from '../../support/random.ts'
import { BOTH, escalations } from './escalation-server.ts'

const CONDITIONS = ['seen', 'read', 'actioned', undefined] as const
type Condition = (typeof CONDITIONS)[number]

const MARKS = ['seen', 'opened', 'clicked', 'archived', 'actioned1', 'actioned2'] as const

/** The marks that cancel a channel. A click or an action counts by the `opened` that it sets. */
const CANCELLED_BY = {
  actioned: ['actioned1', 'actioned2'],
  read: ['opened', 'archived'],
  seen: ['seen', 'opened', 'archived']
} as const
const STEPS = 40
/** Less than the delay: a clock that is further behind makes the delay end at once. */
const MAX_BEHIND_MS = 540_000

testSeeds(10, 'random runs of delays', async seed => {
  const draw = random(seed)
  const next = (): number => draw(1000) / 1000
  const pick = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)]!
  const unless: Condition = pick(CONDITIONS)
  await using e = await escalations({ after: '10m', channel: 'EMAIL', ...(unless && { unless }) })
  const waiting = new Set<string>()
  const expected = new Map<string, 'cancelled' | 'sent'>()
  /** What the inbox shows. */
  const marksOf = async (id: string): Promise<ReadonlySet<string>> => {
    const [item] = await e.db.control`select * from inbox_items where id = ${id}`
    return new Set(MARKS.filter(name => item![`${name}_at`] !== null))
  }
  let queues = e.openQueue()
  const restart = async (): Promise<void> => {
    await queues.stop(0)
    queues = e.openQueue()
  }
  const endSome = async (): Promise<void> => {
    const ids = [...waiting].filter(() => next() < 0.5)
    for (const id of ids) {
      const marks = await marksOf(id)
      const holds = unless !== undefined && CANCELLED_BY[unless].some(name => marks.has(name))
      expected.set(id, holds ? 'cancelled' : 'sent')
      waiting.delete(id)
    }
    await e.db
      .control`update outbox set run_at = now() where queue = 'ESCALATE' and send_id = any(${ids}::uuid[])`
    queues.wake(['ESCALATE'])
    if (next() < 0.5) await restart()
    await queues.idle('ESCALATE')
  }
  for (let step = 0; step < STEPS; step += 1) {
    const action = next()
    const id = [...waiting][Math.floor(next() * waiting.size)]
    if (action < 0.3 || !id) waiting.add((await e.send(BOTH)).trackingId)
    else if (action < 0.75) {
      const name = pick(MARKS)
      await e.mark(id, { [name]: (await marksOf(id)).has(name) ? null : new Date().toISOString() })
    } else if (action < 0.79) await e.resurface(id)
    else if (action < 0.87) await endSome()
    else if (action < 0.92) await restart()
    else e.clock.offsetMs = Math.round(next() * 7_200_000) - MAX_BEHIND_MS
  }
  await endSome()
  await queues.stop(1000)
  const mails = (await e.rows()).filter(({ queue }) => queue === 'EMAIL').map(({ send_id }) => send_id)
  const sent = [...expected].filter(([, decision]) => decision === 'sent').map(([id]) => id)
  const input = `unless ${unless}, seed ${seed}`
  assert.deepEqual(mails.toSorted(), sent.toSorted(), input)
  for (const [id, decision] of expected)
    assert.equal((await e.logged(id)).decisions['EMAIL'], decision, input)
  for (const id of waiting) assert.equal((await e.logged(id)).decisions['EMAIL'], 'delayed', input)
})
