// Sends to a list of users: each is a send of its own, in the order of the list, and one answer says what became of each.
//
// A list is accepted in slices, so that the single sends of others are written between them, and so that memory is bounded. The
// slices need not be one transaction, because each send has its own idempotency key: after a crash, a repeated list finds the sends
// that were written, and writes the others.

import type { SendResult } from '../../client/send.ts'
import { FairSlots } from '../../core/fair-slots.ts'
import { bucketOf, type UserKey } from '../../core/id.ts'
import {
  answerKey,
  idempotencyKeyOf,
  partOfKey,
  reserveKey,
  runOnce,
  type IdempotencyKey
} from '../../http/idempotency.ts'
import { pathPrefix } from '../../http/path-prefix.ts'
import { toProblem, type Problem } from '../../http/problem.ts'
import type { Answer, BackEndCall } from '../../http/route.ts'
import type { Context } from '../../process/context.ts'
import type { Acceptor, AcceptRequest } from '../accept/accept.ts'
import { resolveType } from '../plan/send-type.ts'
import { parseList, parseListEntry, type ListBody, type SendList } from './parse-list.ts'

/**
 * More would delay a single send, which waits for the batch before its own. With slices of 25, it waits as long as beside the same
 * sends on 32 connections (npm run bench -- lists); with 50, a third longer, and lists are half as fast again.
 */
const SLICE_SIZE = 25
/** Each send of a slice has its own copy of the content. */
const MAX_SLICE_BYTES = 4 * 1024 ** 2

/** Two slices of a list, so that the next one is parsed while the other waits for a slow template. They are in one batch otherwise. */
const SLICES_PER_LIST = 2
const SLOTS = { slots: 4, slotsPerEnvironment: SLICES_PER_LIST, waitingPerEnvironment: Infinity }

/** Memory of one user of a list beside its part of the body: the parsed value, and the result. */
const BYTES_PER_USER = 1_000

type Accept = (request: AcceptRequest) => Promise<Answer>
type Outcome = { readonly answer: Answer } | { readonly problem: Problem }

/** @throws Problem if nothing was accepted, or if the same request with its Idempotency-Key can accept the rest */
export type ListSender = (call: BackEndCall, body: ListBody) => Promise<Answer>

export function openListSender(context: Context, acceptor: Acceptor): ListSender {
  const { config, db } = context
  const slots = new FairSlots(SLOTS)

  const sendOne = async (
    call: BackEndCall,
    list: SendList,
    index: number,
    key: IdempotencyKey | undefined,
    accept: Accept
  ): Promise<Outcome> => {
    try {
      const parsed = parseListEntry(list, index)
      const { env } = call
      const userId = parsed.send.to.id
      const user: UserKey = { bucket: bucketOf(env.id, userId), envId: env.id, userId }
      const claim = key && partOfKey(key, index, user)
      return { answer: await accept({ ...parsed, caller: call, claim, environment: env }) }
    } catch (error) {
      return { problem: toProblem(error) }
    }
  }

  const sendAll = async (
    call: BackEndCall,
    list: SendList,
    key: IdempotencyKey | undefined,
    accept: Accept
  ): Promise<readonly Outcome[]> => {
    const outcomes: Outcome[] = []
    let failed: Outcome | undefined
    const sendSlice = (indexes: readonly number[]) =>
      Promise.all(
        indexes.map(async index => {
          const outcome = await sendOne(call, list, index, key, accept)
          outcomes[index] = outcome
          if (isPassing(outcome)) failed = outcome
        })
      )
    // Both loops take from the same iterator.
    const slices = sliceUsers(list).values()
    const sendSlices = async (): Promise<void> => {
      for (const slice of slices) {
        if (failed) return
        await slots.run(call.env.id, undefined, () => sendSlice(slice))
      }
    }
    await Promise.all(Array.from({ length: SLICES_PER_LIST }, sendSlices))
    return list.users.map((_, index) => outcomes[index] ?? failed!)
  }

  return async (call, body) => {
    const { env } = call
    const check: Parameters<typeof parseList>[3] = (channel, content) =>
      context.renderer.check(channel, content)
    const list = parseList(body, call.bytes, context.clock(), check)
    const bucket = bucketOf(env.id, '')
    const group = db.of(bucket)
    const key = idempotencyKeyOf(call, '', bucket)
    try {
      await resolveType(context, env.id, list.common, list.warnings)
    } catch (error) {
      // The type may have been deleted since the first request.
      return runOnce(group, key, () => Promise.reject(error))
    }
    return acceptor.admit(env.id, call.bytes + BYTES_PER_USER * list.users.length, async accept => {
      const stored = key && (await reserveKey(group, key))
      if (stored) return stored
      const outcomes = await sendAll(call, list, key, accept)
      const failed = outcomes.find(isPassing)
      // Without a key, only the answer says which sends were accepted.
      if (failed && (key || !outcomes.some(isAccepted))) throw failed.problem
      const prefix = pathPrefix(config.publicUrl)
      const results = outcomes.map((outcome): SendResult =>
        'answer' in outcome ? (outcome.answer.body as SendResult) : { error: outcome.problem.toPart(prefix) }
      )
      const answer: Answer = { body: { results }, status: 202 }
      if (key) await answerKey(group, key, answer)
      return answer
    })
  }
}

/** @returns the indexes of each slice */
function sliceUsers({ commonBytes, users }: SendList): number[][] {
  const size = Math.min(SLICE_SIZE, Math.max(1, Math.floor(MAX_SLICE_BYTES / commonBytes)))
  const indexes = [...users.keys()]
  return Array.from({ length: Math.ceil(users.length / size) }, (_, i) =>
    indexes.slice(i * size, (i + 1) * size)
  )
}

const isAccepted = (outcome: Outcome): boolean => 'answer' in outcome

/** Whether the same send may be accepted later: the database does not answer, or has no space. */
const isPassing = (outcome: Outcome): outcome is { readonly problem: Problem } =>
  'problem' in outcome && ['unavailable', 'storage-full'].includes(outcome.problem.slug)
