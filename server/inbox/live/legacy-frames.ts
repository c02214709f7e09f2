// Answers to the frames that existing clients send (spec/wire.md 6). They match answers by route alone.

import type { UserKey } from '../../core/id.ts'
import { parseInstant } from '../../core/instant.ts'
import { transact } from '../../db/transact.ts'
import { parseInput } from '../../http/parse-input.ts'
import { fromLegacy, legacyPatch, toLegacy } from '../../users/preferences/legacy.ts'
import { changePreferences } from '../../users/preferences/preferences.sql.ts'
import { readMatrix } from '../../users/preferences/read-matrix.ts'
import { tooMany } from '../../users/preferences/schema.ts'
import { patchItems } from '../items.sql.ts'
import { toVendor } from '../legacy-notification.ts'
import { readPage } from '../read-inbox.sql.ts'
import { clampCount, vendorPatch } from '../schema.ts'
import type { Session } from './handshake.ts'
import type { Hub } from './socket-hub.ts'

interface Answer {
  readonly route: string
  readonly payload: unknown
}

type Listed = ReturnType<typeof toVendor>

/** What a page of theirs holds when it does not say. */
const COUNT = 50

/** Undefined for a frame that nobody waits to be answered, and for one that is not known. */
export async function answerVendor(
  hub: Hub,
  guest: Session,
  route: string,
  said: unknown
): Promise<Answer | undefined> {
  const { bucket, envId, userId } = guest
  const user = { bucket, envId, userId }
  const payload = Object(said) as Readonly<Record<string, unknown>>
  switch (route) {
    case 'environment/data': {
      const { disabledChannels, logo } = guest.environment.settings
      const applicationServerKey = hub.vapidPublicKey
      const askForWebPushPermission = applicationServerKey !== '' && !disabledChannels.includes('WEB_PUSH')
      return {
        payload: { applicationServerKey, askForWebPushPermission, logo },
        route
      }
    }
    case 'inapp_web/unread_count': {
      const { counts } = await readPage(hub.db.of(bucket).sql, user, 1)
      return { payload: { count: counts.unopened }, route }
    }
    case 'inapp_web/notifications': {
      const { before, count } = payload
      const at =
        typeof before === 'string' || typeof before === 'number' ? parseInstant(String(before)) : undefined
      const notifications = await list(hub, user, clampCount(Number(count ?? COUNT)), at)
      return { payload: { notifications }, route }
    }
    case 'inapp_web/unread_clear':
      await clear(hub, user, payload['notificationId'])
      return undefined
    case 'user_preferences/get_preferences': {
      const userPreferences = toLegacy(await readMatrix(hub, guest.environment, user))
      return { payload: { userPreferences }, route: 'user_preferences/preferences' }
    }
    case 'user_preferences/patch_preferences':
      await choose(hub, guest, said)
      return undefined
    default:
      return undefined
  }
}

/**
 * To this client fewer than it has asked for are the last ones: where bytes end a page, the next one is read too. It
 * looks at no parameters, and they are what makes notifications large.
 */
async function list(
  hub: Hub,
  user: UserKey,
  count: number,
  before: number | undefined
): Promise<readonly Listed[]> {
  const { sql } = hub.db.of(user.bucket)
  const listed: Listed[] = []
  for (let at = before, more = true; more;) {
    const page = await readPage(sql, user, count - listed.length, {
      before: at,
      bytes: hub.config.inboxPageBytes
    })
    for (const { parameters: _, ...item } of page.items) listed.push(toVendor(item))
    at = page.next
    more = at !== undefined && listed.length < count
  }
  return listed
}

/** @param id - of one notification (its field is named after the type); absent: all */
async function clear(hub: Hub, user: UserKey, id: unknown): Promise<void> {
  const opened = new Date(hub.clock()).toISOString()
  const trackingIds = typeof id === 'string' ? vendorPatch.parse({ trackingIds: [id] }).trackingIds : 'ALL'
  const { event } = await transact(hub.db.of(user.bucket), tx =>
    patchItems(tx, user, { opened, trackingIds }, hub.config.inboxPageBytes)
  )
  if (event) hub.live.publish([event])
}

/** One frame is one change, whole or not at all. @throws what is wrong with it: nobody waits for an answer */
async function choose(hub: Hub, guest: Session, said: unknown): Promise<void> {
  const { bucket, envId, environment, userId } = guest
  const user = { bucket, envId, userId }
  const limit = hub.config.preferencesLimit
  const patch = parseInput(legacyPatch(limit), said)
  const choices = fromLegacy(patch, await readMatrix(hub, environment, user))
  await transact(hub.db.of(bucket), async tx => {
    const count = await changePreferences(tx, user, { choices, kind: 'merge' })
    if (count > limit) throw tooMany(limit)
  })
  hub.live.preferencesChanged(user)
}
