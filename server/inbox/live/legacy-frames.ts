// Answers the frames of legacy clients, which match answers to requests by route alone.

import type { UserKey } from '../../core/id.ts'
import { parseInstant } from '../../core/instant.ts'
import { transact } from '../../db/transact.ts'
import { parseInput } from '../../http/parse-input.ts'
import {
  fromLegacy,
  legacyPatch as legacyPreferencesPatch,
  toLegacy
} from '../../users/preferences/legacy.ts'
import { changePreferences } from '../../users/preferences/preferences.sql.ts'
import { readMatrix } from '../../users/preferences/read-matrix.ts'
import { tooManyPreferences } from '../../users/preferences/schema.ts'
import { toLegacyNotification } from '../legacy-notification.ts'
import { patchItems } from '../patch-items.sql.ts'
import { readPage } from '../read-inbox.sql.ts'
import { clampCount, legacyPatch } from '../schema.ts'
import type { Session } from './handshake.ts'
import type { SocketHub } from './socket-hub.ts'

interface Answer {
  readonly route: string
  readonly payload: unknown
}

const DEFAULT_PAGE_SIZE = 50

/** @returns undefined for a frame that expects no answer, and for an unknown one */
export async function answerLegacyFrame(
  hub: SocketHub,
  session: Session,
  route: string,
  body: unknown
): Promise<Answer | undefined> {
  const { bucket, envId, userId } = session
  const user = { bucket, envId, userId }
  const payload = Object(body) as Readonly<Record<string, unknown>>
  switch (route) {
    case 'environment/data': {
      const { disabledChannels, logo } = session.environment.settings
      const applicationServerKey = hub.vapidPublicKey
      const askForWebPushPermission = applicationServerKey !== '' && !disabledChannels.includes('WEB_PUSH')
      return { payload: { applicationServerKey, askForWebPushPermission, logo }, route }
    }
    case 'inapp_web/unread_count': {
      const { counts } = await readPage(hub.db.of(bucket).sql, user, 1)
      return { payload: { count: counts.unopened }, route }
    }
    case 'inapp_web/notifications': {
      const { before, count } = payload
      const isInstant = typeof before === 'string' || typeof before === 'number'
      const beforeMs = isInstant ? parseInstant(String(before)) : undefined
      const notifications = await readNotifications(
        hub,
        user,
        clampCount(Number(count ?? DEFAULT_PAGE_SIZE)),
        beforeMs
      )
      return { payload: { notifications }, route }
    }
    case 'inapp_web/unread_clear':
      await markOpened(hub, user, payload['notificationId'])
      return undefined
    case 'user_preferences/get_preferences': {
      const userPreferences = toLegacy(await readMatrix(hub, session.environment, user))
      return { payload: { userPreferences }, route: 'user_preferences/preferences' }
    }
    case 'user_preferences/patch_preferences':
      await patchPreferences(hub, session, body)
      return undefined
    default:
      return undefined
  }
}

/**
 * Fills the page up to `count`: a legacy client takes a shorter page for the last one, so if the byte limit ends a page, the
 * next one is read too. Parameters are left out, because they make notifications large and the client does not use them here.
 */
async function readNotifications(hub: SocketHub, user: UserKey, count: number, before: number | undefined) {
  const { sql } = hub.db.of(user.bucket)
  const notifications: ReturnType<typeof toLegacyNotification>[] = []
  for (let at = before, hasMore = true; hasMore;) {
    const page = await readPage(sql, user, count - notifications.length, {
      before: at,
      maxBytes: hub.limits.pageBytes
    })
    for (const { parameters: _, ...item } of page.items) notifications.push(toLegacyNotification(item))
    at = page.next
    hasMore = at !== undefined && notifications.length < count
  }
  return notifications
}

/** @param id - of one notification, in spite of the name of its field; all if it is absent */
async function markOpened(hub: SocketHub, user: UserKey, id: unknown): Promise<void> {
  const opened = new Date(hub.clock()).toISOString()
  const trackingIds = typeof id === 'string' ? legacyPatch.parse({ trackingIds: [id] }).trackingIds : 'ALL'
  const { event } = await transact(hub.db.of(user.bucket), tx =>
    patchItems(tx, user, { opened, trackingIds }, hub.limits.pageBytes, hub.afterRead)
  )
  if (event) hub.live.publish([event])
}

/** Applies a frame completely or not at all. @throws Problem for a wrong frame: the client expects no answer */
async function patchPreferences(hub: SocketHub, session: Session, body: unknown): Promise<void> {
  const { bucket, envId, environment, userId } = session
  const user = { bucket, envId, userId }
  const limit = hub.limits.preferences
  const patch = parseInput(legacyPreferencesPatch(limit), body)
  const choices = fromLegacy(patch, await readMatrix(hub, environment, user))
  await transact(hub.db.of(bucket), async tx => {
    const count = await changePreferences(tx, user, { choices, kind: 'merge' })
    if (count > limit) throw tooManyPreferences(limit)
  })
  hub.live.preferencesChanged(user)
}
