// The inbox over HTTP: pages, changes and read state, for our own elements and in the format of legacy clients.

import type { z } from 'zod'

import { MARKS, type InboxPatch } from '#protocol'

import type { InboxEvent } from '../core/live-updates.ts'
import { addressKey } from '../http/client-address.ts'
import { toCursor } from '../http/cursor.ts'
import { idempotencyKeyOf, runOnce } from '../http/idempotency.ts'
import { parseInput, parseQuery } from '../http/parse-input.ts'
import { Problem } from '../http/problem.ts'
import { ok, route, type Answer, type Route, type UserCall } from '../http/route.ts'
import type { Context } from '../process/context.ts'
import { userKeyOfCall } from '../users/user-key.ts'
import { changesDoc, pageDoc, patchDoc, legacyListDoc, legacyPatchDoc } from './doc.ts'
import { toLegacyPage } from './legacy-notification.ts'
import type { LongPolls } from './live/long-polls.ts'
import { MAX_CHANGE_ITEMS, patchItems, type AfterRead } from './patch-items.sql.ts'
import { MAX_PAGE_BYTES, readChanges, readPage } from './read-inbox.sql.ts'
import { changesQuery, countsQuery, inboxPatch, pageQuery, legacyPatch, legacyQuery } from './schema.ts'
import { MAX_SNOOZED_ITEMS, MAX_SNOOZE_DAYS } from './snooze.sql.ts'
import { undoAllWrite } from './undo-all.sql.ts'
import { enqueueReplies } from './updates/webhook.ts'
import { countsDoc } from './views-doc.ts'
import { countByType } from './views.sql.ts'

const invalid = (field: string, detail: string): Problem =>
  new Problem('invalid-request', detail, { errors: [{ detail, pointer: `#/${field}` }] })

/** @throws Problem for fields that do not go together, and for a snooze that does not end in the allowed time */
function checkPatch(patch: z.output<typeof inboxPatch>, nowMs: number): void {
  const isAll = patch.trackingIds === 'ALL'
  for (const field of ['reply', 'snoozedUntil'] as const) {
    if (isAll && (field === 'reply' ? patch.reply : patch.snoozedUntil !== undefined)) {
      throw invalid(field, `${field} needs the ids of the notifications; ALL is not allowed.`)
    }
  }
  if (patch.undo !== undefined && (!isAll || MARKS.some(mark => patch[mark] !== undefined))) {
    throw invalid('undo', 'undo needs ALL, and no other change beside it.')
  }
  if (!patch.snoozedUntil) return
  const untilMs = Date.parse(patch.snoozedUntil)
  // A snooze without a network may end before it arrives. Its notification then comes back at once.
  const actedMs = Math.min(nowMs, patch.at === undefined ? nowMs : Date.parse(patch.at))
  if (untilMs <= actedMs || untilMs > nowMs + MAX_SNOOZE_DAYS * 86_400_000) {
    throw invalid('snoozedUntil', `Expected a time in the future, at most ${MAX_SNOOZE_DAYS} days ahead.`)
  }
}

interface PatchContext extends Pick<InboxOptions, 'afterRead'> {
  readonly context: Context
  readonly pageBytes: number
}

async function applyPatch(
  { afterRead, context, pageBytes }: PatchContext,
  call: UserCall,
  { reply, ...patch }: z.output<typeof inboxPatch>,
  toBody: (change: InboxEvent['change']) => unknown
): Promise<Answer> {
  const user = userKeyOfCall(call)
  checkPatch({ reply, ...patch }, context.clock())
  const { undo, ...marks } = { undo: undefined, ...patch }
  const inboxPatch = { ...marks, ...(reply && { reply }) } as InboxPatch
  let written: { readonly answer: Answer; readonly event?: InboxEvent } | undefined
  const answer = await runOnce(
    context.db.of(user.bucket),
    idempotencyKeyOf(call, user.userId, user.bucket),
    async tx => {
      const { change, event } =
        undo === undefined
          ? await patchItems(tx, user, inboxPatch, pageBytes, afterRead)
          : await undoAllWrite(tx, user, undo, inboxPatch.at, pageBytes)
      if (inboxPatch.snoozedUntil && change.counts.snoozed > MAX_SNOOZED_ITEMS) {
        throw invalid('snoozedUntil', `At most ${MAX_SNOOZED_ITEMS} notifications may be snoozed at a time.`)
      }
      if (event && reply && call.env.settings.webhook) {
        await enqueueReplies(tx, user, event.change.items, reply.message, context.clock())
      }
      written = { answer: ok(toBody(change)), ...(event && { event }) }
      return written.answer
    }
  )
  // A different answer is a stored one: the transaction of this call was rolled back.
  if (written?.answer === answer && written.event) {
    context.live.publish([written.event])
    if (reply && call.env.settings.webhook) context.queues.wake(['WEBHOOK'])
    if (inboxPatch.snoozedUntil) context.queues.wake(['SNOOZE'])
  }
  return answer
}

const INBOX = '/:clientId/users/:userId/inbox'
const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' }
const LEGACY_INBOX = '/:clientId/users/:userId/notifications/INAPP_WEB'

interface InboxOptions {
  /** Of one page of an inbox, and of the items that one request changes. Default: {@link MAX_PAGE_BYTES}. */
  readonly pageBytes?: number | undefined
  /** Default: nothing follows. */
  readonly afterRead?: AfterRead
  /** Default: no answer waits. */
  readonly longPolls?: LongPolls
}

interface Names {
  readonly tags?: readonly string[] | undefined
  readonly types?: readonly string[] | undefined
}

/** @returns the types of a query, and of its tags; `types` is undefined if it names neither */
async function resolveTypes(
  { types: all }: Pick<Context, 'types'>,
  call: UserCall,
  { tags = [], types }: Names
): Promise<{ readonly types: readonly string[] | undefined; readonly typesByTag: Record<string, string[]> }> {
  const heads = tags.length > 0 ? await all.list(userKeyOfCall(call).envId) : []
  const typesByTag = Object.fromEntries(
    tags.map(tag => [tag, heads.filter(({ settings }) => settings.tags?.includes(tag)).map(({ id }) => id)])
  )
  const named = types ?? (tags.length > 0 ? [] : undefined)
  return { types: named && [...new Set([...named, ...Object.values(typesByTag).flat()])], typesByTag }
}

export const inboxRoutes = (
  context: Context,
  { afterRead, longPolls, pageBytes = MAX_PAGE_BYTES }: InboxOptions = {}
): Route[] => [
  route('GET', INBOX, 'user', pageDoc, async call => {
    const { count, cursor, view, ...names } = parseQuery(pageQuery, call.query)
    const { types } = await resolveTypes(context, call, names)
    const bounds = { before: cursor, maxBytes: pageBytes, types, view }
    const page = await readPage(context.db.of(call.bucket).sql, userKeyOfCall(call), count, bounds)
    const { next, ...body } = page
    return ok({ ...body, ...(next !== undefined && { next: toCursor(next) }) })
  }),

  route('GET', `${INBOX}/counts`, 'user', countsDoc, async call => {
    const { types, typesByTag } = await resolveTypes(context, call, parseQuery(countsQuery, call.query))
    const counts = await countByType(context.db.of(call.bucket).sql, userKeyOfCall(call), types)
    return ok({ ...counts, tags: typesByTag })
  }),

  route('GET', `${INBOX}/changes`, 'user', changesDoc, async call => {
    const { since, wait } = parseQuery(changesQuery, call.query)
    const { address, bucket, credential, signal } = call
    const news =
      wait > 0 &&
      (await longPolls?.wait({
        ...userKeyOfCall(call),
        addressKey: addressKey(address),
        credential,
        signal,
        since,
        waitMs: wait * 1000
      }))
    // A text has no ETag and is not cached.
    if (news) return { body: news, headers: JSON_TYPE, status: 200 }
    const limits = { maxBytes: pageBytes, maxItems: MAX_CHANGE_ITEMS }
    const [missed] = await readChanges(
      context.db.of(bucket).sql,
      [bucket],
      [{ ...userKeyOfCall(call), since }],
      limits
    )
    return ok(missed!.kind === 'reset' ? missed!.reset : missed!.change)
  }),

  route('PATCH', INBOX, 'user', patchDoc, call =>
    applyPatch(
      { context, pageBytes, ...(afterRead && { afterRead }) },
      call,
      parseInput(inboxPatch, call.body),
      change => change
    )
  ),

  route('GET', LEGACY_INBOX, 'user', legacyListDoc, async call => {
    const { before, count } = parseQuery(legacyQuery, call.query)
    const bounds = { before, maxBytes: pageBytes }
    const page = await readPage(context.db.of(call.bucket).sql, userKeyOfCall(call), count, bounds)
    return ok(toLegacyPage(page))
  }),

  route('PATCH', LEGACY_INBOX, 'user', legacyPatchDoc, call =>
    applyPatch(
      { context, pageBytes, ...(afterRead && { afterRead }) },
      call,
      parseInput(legacyPatch, call.body),
      () => ({ success: true })
    )
  )
]
