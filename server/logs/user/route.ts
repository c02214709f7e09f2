// The overview of a user for support, for back ends: contacts, devices, what the user chose, what waits, and what failed.

import { CHANNELS } from '#protocol'

import { retentionInDays } from '../../config/environment-settings.ts'
import { ok, route, type Route } from '../../http/route.ts'
import type { Context } from '../../process/context.ts'
import { toChannel, type QueueName } from '../../queue/queues.ts'
import { resolveTimeZone } from '../../send/plan/recipient.ts'
import { isBlocked, viewSettings } from '../../users/preferences/delivery-settings.ts'
import { findHold } from '../../users/preferences/hold.ts'
import { buildMatrix } from '../../users/preferences/matrix.ts'
import { readPreferencesAndTopics } from '../../users/preferences/preferences.sql.ts'
import { readTopicTitles } from '../../users/topics/topics.sql.ts'
import { parseUserKey } from '../../users/user-key.ts'
import { readUser } from '../../users/users.sql.ts'
import { maskAddress, maskFields, toLoggedAddress } from '../address.ts'
import { isoTimeOfId } from '../delivery-facts.ts'
import { overviewDoc } from './doc.ts'
import { listEffective, MAX_TOPICS } from './effective.ts'
import {
  faultsStatement,
  MAX_WAITING,
  readDeviceUses,
  readWaiting,
  type DeviceUse,
  type FaultRow,
  type WaitingRow
} from './overview.sql.ts'

const DAY_MS = 86_400_000

export const userOverviewRoutes = ({
  clock,
  config,
  db,
  live,
  types
}: Pick<Context, 'clock' | 'config' | 'db' | 'live' | 'types'>): Route[] => [
  route('GET', '/:clientId/users/:userId/overview', 'back-end', overviewDoc, async call => {
    const { env } = call
    const key = parseUserKey(call)
    const { sql } = db.of(key.bucket)
    const now = clock()
    const [user, stored, devices, waiting, faults] = await Promise.all([
      readUser(sql, key),
      readPreferencesAndTopics(sql, key),
      readDeviceUses(sql, key),
      readWaiting(sql, key),
      sql<FaultRow[]>`${faultsStatement(sql, key, now - retentionInDays(env.settings, config) * DAY_MS)}`
    ])
    const { preferences, received, settings } = stored
    const ids = new Set([...received, ...preferences].map(topic => topic.notificationId))
    const [groupTitles, ...found] = await Promise.all([
      readTopicTitles(
        db,
        env.id,
        received.map(topic => topic.subNotificationId)
      ),
      ...[...ids].map(id => types.get(env.id, id))
    ])
    const known = found.filter(type => type !== undefined)
    const matrix = buildMatrix({
      environment: env.settings,
      groupTitles,
      preferences,
      receivedTopics: received,
      types: known
    })
    const topics = listEffective({
      channelsOff: settings.channelsOff,
      environment: env.settings,
      matrix,
      preferences,
      types: new Map(known.map(type => [type.id, type]))
    })
    const zone = resolveTimeZone(stored.timezone, env.settings, config.timezone)
    const { channels, pause, quiet } = viewSettings({
      blocked: CHANNELS.filter(channel => isBlocked(channel, preferences)),
      channels: matrix.notifications.flatMap(type => type.channels),
      now,
      settings,
      zone
    })
    const hold = findHold(settings, { isUrgent: false, now, zone })
    const shown = waiting.toSorted((a, b) => a.runAt.getTime() - b.runAt.getTime()).slice(0, MAX_WAITING)
    const answer = {
      user,
      devices: devices.map(toDevice),
      preferences: topics.slice(0, MAX_TOPICS),
      hasMorePreferences: topics.length > MAX_TOPICS,
      channels,
      pause,
      quiet,
      timezone: zone,
      ...(hold && {
        hold: { reason: hold.reason, until: hold.until === null ? null : new Date(hold.until).toISOString() }
      }),
      waiting: shown.map(toWaiting),
      hasMoreWaiting: waiting.length > shown.length,
      sockets: live.connectionCountOf?.(key) ?? 0,
      faults: faults.map(toFault)
    }
    return ok(call.masksAddresses ? maskOverview(answer) : answer)
  })
]

/** For callers who may see no addresses. */
const maskOverview = <
  A extends {
    readonly user: Readonly<Record<string, unknown>>
    readonly faults: readonly { readonly to?: string }[]
  }
>(
  answer: A
): A => ({
  ...answer,
  faults: answer.faults.map(({ to, ...fault }) =>
    Object.assign(fault, to === undefined ? {} : { to: maskAddress(to) })
  ),
  user: maskUser(answer.user)
})

function maskUser(user: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const masked = maskFields(user) as Readonly<Record<string, unknown>>
  const bounce = user['emailBounce'] as { readonly address: string } | undefined
  return bounce ? { ...masked, emailBounce: { ...bounce, address: maskAddress(bounce.address) } } : masked
}

function toDevice({ device, kind, seenAt, token }: DeviceUse) {
  const { environment: _, ...info } = device
  const address =
    typeof token === 'string' ? token : String((token as { endpoint?: unknown })?.endpoint ?? '')
  return {
    kind,
    device: info,
    lastUsedAt: seenAt.toISOString(),
    token: toLoggedAddress(kind === 'web' ? 'WEB_PUSH' : 'PUSH', address)
  }
}

const KINDS = { DIGEST: 'digest', ESCALATE: 'delayed', HELD: 'held', SCHEDULE: 'schedule' } as const

function toWaiting({ channel, dueAt, held, id, itemCount, queue, runAt, sendId, type }: WaitingRow) {
  const until = queue === 'HELD' ? held?.until : (dueAt ?? runAt.getTime())
  const onChannel = held ? toChannel(held.queue as QueueName) : channel
  return {
    kind: KINDS[queue],
    id,
    ...(sendId !== null && { trackingId: sendId }),
    ...(onChannel !== null && { channel: onChannel }),
    ...(type !== null && { type }),
    at: until === null || until === undefined ? null : new Date(until).toISOString(),
    ...(queue === 'DIGEST' && { count: itemCount })
  }
}

const toFault = ({ address, channel, code, detail, id, sendId, type }: FaultRow) => ({
  trackingId: sendId,
  channel,
  type,
  at: isoTimeOfId(id),
  code: code ?? 'unknown',
  ...(detail !== null && { detail }),
  ...(address !== null && { to: toLoggedAddress(channel, address) })
})
