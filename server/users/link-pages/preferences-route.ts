// GET and POST /preferences/{token}: a user's preferences for whoever has the link of a mail to them.

import { DELIVERIES } from '#protocol'

import { bucketOf, type UserKey } from '../../core/id.ts'
import { transact } from '../../db/transact.ts'
import type { Seal } from '../../environments/encryption/encryption.ts'
import { wrongFields } from '../../http/parse-input.ts'
import { Problem } from '../../http/problem.ts'
import { route, type Route } from '../../http/route.ts'
import type { Kit } from '../../process/context.ts'
import type { Matrix } from '../preferences/matrix.ts'
import { changePreferences, type Choice } from '../preferences/preferences.sql.ts'
import { readMatrix } from '../preferences/read-matrix.ts'
import { tooMany } from '../preferences/schema.ts'
import { languageOf } from './link-page.ts'
import { holderOf } from './preferences-link.ts'
import { choicesOf, nameOf, preferencesPage } from './preferences-page.ts'

export function preferencesLinkRoutes(
  kit: Pick<Kit, 'config' | 'db' | 'environments' | 'lanes' | 'live' | 'types'>,
  seal: Seal
): Route[] {
  /** Undefined also where the environment was deleted since. */
  const open = async (token: string | undefined) => {
    const holder = holderOf(seal, token ?? '')
    const environment = holder && (await kit.environments.get(holder.envId))
    if (!environment) return undefined
    const user: UserKey = { bucket: bucketOf(holder.envId, holder.userId), ...holder }
    return { read: () => readMatrix(kit, environment, user), user }
  }

  return [
    route('GET', '/preferences/:holder', 'anyone', async ({ headers, params }) => {
      const found = await open(params['holder'])
      return preferencesPage(languageOf(headers['accept-language']), await found?.read(), false)
    }),
    {
      ...route('POST', '/preferences/:holder', 'anyone', async ({ body, headers, params }) => {
        const language = languageOf(headers['accept-language'])
        const found = await open(params['holder'])
        if (!found) return preferencesPage(language, undefined, false)
        const choices = changesIn(new URLSearchParams(String(body)), await found.read())
        if (choices.length > 0) {
          await transact(kit.db.of(found.user.bucket), async tx => {
            const count = await changePreferences(tx, found.user, { choices, kind: 'merge' })
            if (count > kit.config.preferencesLimit) throw tooMany(kit.config.preferencesLimit)
          })
          kit.live.chosen(found.user)
          kit.lanes.wake(['DIGEST'])
        }
        return preferencesPage(language, await found.read(), true)
      }),
      // A form.
      raw: true
    }
  ]
}

/**
 * What differs from what applies: a default that nobody touched stays a default.
 *
 * @throws Problem `invalid-request` for a choice that is not on offer
 */
function changesIn(form: URLSearchParams, matrix: Matrix): Choice[] {
  return matrix.preferences.flatMap(row => {
    const said = form.get(nameOf(row))
    if (said === null || said === row.delivery) return []
    const { channel, notificationId, subNotificationId = '' } = row
    const delivery = choicesOf(matrix, row).find(one => one === said)
    if (delivery === undefined) throw notOffered(row.channel, said)
    return [{ channel, delivery, notificationId, subNotificationId }]
  })
}

function notOffered(channel: string, said: string): Problem {
  const known = (DELIVERIES as readonly string[]).includes(said)
  const detail = known ? `${said} is not on offer for this.` : `Expected one of ${DELIVERIES.join(', ')}.`
  return wrongFields([{ detail, pointer: `#/${channel}` }])
}
