// GET and POST /unsubscribe/{token}: shows the page, and unsubscribes. Mail programs post as well (RFC 8058).

import { bucketOf } from '../../core/id.ts'
import { transact } from '../../db/transact.ts'
import type { Encryption } from '../../environments/encryption/encryption.ts'
import { route, type Answer, type Route } from '../../http/route.ts'
import type { Context } from '../../process/context.ts'
import { shownTitle } from '../../types/shown-title.ts'
import { changePreferences, type PreferenceChoice } from '../preferences/preferences.sql.ts'
import { chooseLanguage } from './link-page.ts'
import { createPreferencesToken, readUnsubscribeToken, type UnsubscribeSubject } from './link-token.ts'
import { renderUnsubscribePage } from './unsubscribe-page.ts'

export function unsubscribeRoutes(
  {
    db,
    environments,
    queues,
    live,
    types
  }: Pick<Context, 'db' | 'environments' | 'queues' | 'live' | 'types'>,
  encryption: Encryption
): Route[] {
  /** Returns undefined if the token is not valid or its environment was deleted. */
  const find = async (token: string | undefined): Promise<UnsubscribeSubject | undefined> => {
    const about = readUnsubscribeToken(encryption, token ?? '')
    return about && (await environments.get(about.envId)) ? about : undefined
  }

  const titleOf = async ({ envId, notificationId }: UnsubscribeSubject): Promise<string> =>
    shownTitle(notificationId, (await types.get(envId, notificationId))?.title)

  const answer = async (
    about: UnsubscribeSubject | undefined,
    state: 'ask' | 'done',
    accept: string | undefined
  ): Promise<Answer> => {
    const known = about && {
      // Relative, so that it works below any path prefix.
      preferences: `../preferences/${createPreferencesToken(encryption, { envId: about.envId, userId: about.userId })}`,
      title: await titleOf(about)
    }
    return renderUnsubscribePage(chooseLanguage(accept), state, known)
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
            changePreferences(
              tx,
              { bucket, envId, userId },
              { choices: choicesOf(about), kind: 'merge' },
              'link'
            )
          )
          live.preferencesChanged({ envId, userId })
          queues.wake(['DIGEST'])
        }
        return answer(about, 'done', headers['accept-language'])
      }),
      // The body is ignored: mail programs send different kinds of forms.
      raw: true
    }
  ]
}

/** Also turns off the sub-notification, because its own preference would win over that of its type. */
const choicesOf = ({ notificationId, subNotificationId }: UnsubscribeSubject): PreferenceChoice[] =>
  [...new Set(['', subNotificationId])].map(sub => ({
    channel: 'EMAIL',
    delivery: 'off',
    notificationId,
    subNotificationId: sub
  }))
