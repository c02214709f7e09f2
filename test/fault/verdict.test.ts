// The verdict of a run: a duplicate is justified only by a recorded fact.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { QUEUES, type Taken } from './ledger.ts'
import type { Tried } from './server-records.ts'
import { judge, type Evidence, type Verdict } from './verdict.ts'

const SEND = 'send-1'
const DELIVERY = 'delivery-1'
const NONE = { died: 0, fenced: 0, unheard: 0 }

const took = (at: number, ref: string, more: Partial<Taken> = {}): Taken => ({
  at,
  node: 1,
  ref,
  isAcknowledged: true,
  ...more
})
const tried = (outcome: Tried['outcome'], ref: string | null = null): Tried => ({
  delivery: DELIVERY,
  outcome,
  ref,
  send: SEND
})

/** Facts about an email; the other channels accepted their message once. */
function verdictOn(mails: readonly Taken[], more: Partial<Evidence> = {}): Verdict {
  const others = QUEUES.filter(queue => queue !== 'EMAIL').map(
    queue => [`${queue} 1`, [took(0, queue)]] as const
  )
  return judge({
    accepted: new Map([['1', SEND]]),
    killed: new Map(),
    moved: [],
    refused: [],
    taken: new Map<string, readonly Taken[]>([['EMAIL 1', mails], ...others]),
    tries: [tried('sent', '250 two')],
    unsure: new Set(),
    ...more
  })
}

const TWICE = [took(0, 'one'), took(40_000, 'two', { node: 2 })]
const SOON = [took(0, 'one'), took(500, 'two', { node: 2 })]
const refused = [{ delivery: DELIVERY, node: 1 }]

test('an undelivered message is missing, but not a call that was given up', () => {
  assert.deepEqual(verdictOn([]).missing, ['EMAIL 1'])
  const taken = new Map(QUEUES.map(queue => [`${queue} 1`, queue === 'CALL' ? [] : [took(0, queue)]]))
  assert.deepEqual(verdictOn([], { taken, unsure: new Set([SEND]) }).missing, [])
  assert.deepEqual(verdictOn([], { taken }).missing, ['CALL 1'])
})

test('a duplicate without a fact is not justified', () => {
  const { doubles, groundless, missing } = verdictOn(TWICE)
  assert.deepEqual([doubles, groundless.length, missing], [NONE, 1, []])
  // Another node was killed; the node was killed before; it was killed long after; no loss was logged.
  const tries = [tried('sent', '250 two'), tried('lost')]
  for (const killed of [[2, 10] as const, [1, -10] as const, [1, 100_000] as const])
    assert.equal(verdictOn(TWICE, { killed: new Map([killed]), tries }).groundless.length, 1)
  assert.equal(verdictOn(TWICE, { killed: new Map([[1, 10]]) }).groundless.length, 1)
  // The result of another node was rejected.
  assert.equal(verdictOn(TWICE, { refused: [{ delivery: DELIVERY, node: 2 }] }).groundless.length, 1)
})

test('a duplicate is justified by a cause in the log', () => {
  const only = (cause: keyof typeof NONE): unknown => ({ ...NONE, [cause]: 1 })
  const died = { killed: new Map([[1, 10]]), tries: [tried('lost'), tried('sent', '250 two')] }
  assert.deepEqual(verdictOn(TWICE, died).doubles, only('died'))
  assert.deepEqual(verdictOn(TWICE, { refused }).doubles, only('fenced'))
  const late = { tries: [tried('uncertain'), tried('sent', '250 two')] }
  assert.deepEqual(verdictOn(TWICE, late).doubles, only('unheard'))
  const cut = [took(0, 'one', { isAcknowledged: false }), took(10, 'two')]
  assert.deepEqual(verdictOn(cut).doubles, only('unheard'))
})

test('an early end of a lease is no cause, unless the run has moved it', () => {
  assert.equal(verdictOn(SOON, { refused }).groundless.length, 1)
  assert.deepEqual(verdictOn(SOON, { moved: [100], refused }).doubles, { ...NONE, fenced: 1 })
})

test('no cause justifies a second call', () => {
  const calls = [took(0, 'one', { isAcknowledged: false }), took(10, 'two')]
  const taken = new Map(QUEUES.map(queue => [`${queue} 1`, queue === 'CALL' ? calls : [took(0, queue)]]))
  assert.equal(verdictOn([], { taken }).groundless.length, 1)
})
