// GET and POST /unsubscribe/{token}: the page, and the deed, for its button and for mail programs (RFC 8058).

import { bucketOf } from '../../core/id.ts'
import { transact } from '../../db/transact.ts'
import type { Seal } from '../../environments/encryption/encryption.ts'
import { route, type Answer, type Route } from '../../http/route.ts'
import type { Kit } from '../../process/context.ts'
import { changePreferences, type Choice } from '../preferences/preferences.sql.ts'
import { languageOf } from './link-page.ts'
import { tokenOfHolder } from './preferences-link.ts'
import { subjectOf, type Subject } from './unsubscribe-link.ts'
import { pageOf } from './unsubscribe-page.ts'

export function unsubscribeRoutes(
  { db, environments, lanes, live, types }: Pick<Kit, 'db' | 'environments' | 'lanes' | 'live' | 'types'>,
  seal: Seal
): Route[] {
  /** Undefined also where the environment was deleted since. */
  const find = async (token: string | undefined): Promise<Subject | undefined> => {
    const about = subjectOf(seal, token ?? '')
    return about && (await environments.get(about.envId)) ? about : undefined
  }

  const titleOf = async ({ envId, notificationId }: Subject): Promise<string> =>
    (await types.get(envId, notificationId))?.title ?? notificationId

  const answer = async (
    about: Subject | undefined,
    state: 'ask' | 'done',
    accept: string | undefined
  ): Promise<Answer> => {
    const known = about && {
      // Relative: it works behind every prefix.
      preferences: `../preferences/${tokenOfHolder(seal, { envId: about.envId, userId: about.userId })}`,
      title: await titleOf(about)
    }
    return pageOf(languageOf(accept), state, known)
  }

  return [
    route('GET', '/unsubscribe/:token', 'anyone', async ({ headers, params }) =>
      answer(await find(params['token']), 'ask', headers['accept-language'])
    ),
    {
      ...route('POST', '/unsubscribe/:token', 'anyone', async ({ headers, params }) => {
        const about = await find(params['token'])
        if (about) {
          const { envId, userId } = about
          const bucket = bucketOf(envId, userId)
          await transact(db.of(bucket), tx =>
            changePreferences(tx, { bucket, envId, userId }, { choices: choicesOf(about), kind: 'merge' })
          )
          live.chosen({ envId, userId })
          lanes.wake(['DIGEST'])
        }
        return answer(about, 'done', headers['accept-language'])
      }),
      // A form, and its content says nothing that the address does not.
      raw: true
    }
  ]
}

/** What was chosen for the sub-notification would else beat what is said of its type. */
const choicesOf = ({ notificationId, subNotificationId }: Subject): Choice[] =>
  [...new Set(['', subNotificationId])].map(sub => ({
    channel: 'EMAIL',
    delivery: 'off',
    notificationId,
    subNotificationId: sub
  }))
