// GET and POST /preferences/{token}: shows and changes the preferences of the user that the link of an email belongs to.

import { CHANNELS, type Channel, type Preferences } from '#protocol'

import { bucketOf, type UserKey } from '../../core/id.ts'
import { transact } from '../../db/transact.ts'
import type { Encryption } from '../../environments/encryption/encryption.ts'
import { route, type Route } from '../../http/route.ts'
import type { Context } from '../../process/context.ts'
import { changePreferences, type PreferenceChoice } from '../preferences/preferences.sql.ts'
import { readPreferences } from '../preferences/read-matrix.ts'
import { MAX_PREFERENCES, tooManyPreferences } from '../preferences/schema.ts'
import { applySettingsPatch } from '../preferences/settings-patch.ts'
import { changeSettings } from '../preferences/settings.sql.ts'
import { chooseLanguage } from './link-page.ts'
import { readPreferencesToken } from './link-token.ts'
import { offeredFrequencies, fieldName, renderPreferencesPage, switchName } from './preferences-page.ts'

export function preferencesLinkRoutes(
  context: Pick<Context, 'clock' | 'config' | 'db' | 'environments' | 'queues' | 'live' | 'types'>,
  encryption: Encryption
): Route[] {
  /** Returns undefined if the token is not valid or its environment was deleted. */
  const open = async (token: string | undefined) => {
    const holder = readPreferencesToken(encryption, token ?? '')
    const environment = holder && (await context.environments.get(holder.envId))
    if (!environment) return undefined
    const user: UserKey = { bucket: bucketOf(holder.envId, holder.userId), ...holder }
    return { read: () => readPreferences(context, environment, user), user }
  }

  return [
    route('GET', '/preferences/:holder', 'anyone', async ({ headers, params }) => {
      const found = await open(params['holder'])
      return renderPreferencesPage(chooseLanguage(headers['accept-language']), await found?.read())
    }),
    {
      ...route('POST', '/preferences/:holder', 'anyone', async ({ body, headers, params }) => {
        const language = chooseLanguage(headers['accept-language'])
        const found = await open(params['holder'])
        if (!found) return renderPreferencesPage(language, undefined)
        const matrix = await found.read()
        const form = new URLSearchParams(String(body))
        const choices = changedPreferences(form, matrix)
        const channels = changedSwitches(form, matrix)
        if (!choices) return renderPreferencesPage(language, matrix, 'notOffered')
        if (choices.length > 0 || Object.keys(channels).length > 0) {
          await transact(context.db.of(found.user.bucket), async tx => {
            const count = await changePreferences(tx, found.user, { choices, kind: 'merge' }, 'link')
            if (count > MAX_PREFERENCES) throw tooManyPreferences()
            if (Object.keys(channels).length === 0) return
            await changeSettings(tx, found.user, before => applySettingsPatch(before, { channels }))
          })
          context.live.preferencesChanged(found.user)
          context.queues.wake(['DIGEST', 'HELD'])
        }
        return renderPreferencesPage(language, await found.read(), 'saved')
      }),
      // The body is a form, not JSON.
      raw: true
    }
  ]
}

/** Returns the switches of whole channels that the form changes. */
function changedSwitches(form: URLSearchParams, { channels = {} }: Preferences) {
  const changed: { [C in Channel]?: { readonly on: boolean } } = {}
  for (const channel of CHANNELS) {
    const value = form.get(switchName(channel))
    const current = channels[channel]
    if (!current || current.state || (value !== 'on' && value !== 'off')) continue
    if ((value === 'on') !== current.on) changed[channel] = { on: value === 'on' }
  }
  return changed
}

/**
 * Returns the fields of the form that differ from the current preferences. Unchanged defaults are not stored as choices.
 *
 * @returns undefined if a frequency is not offered, for example because it was removed after the page was opened
 */
function changedPreferences(form: URLSearchParams, matrix: Preferences): PreferenceChoice[] | undefined {
  const choices: PreferenceChoice[] = []
  for (const row of matrix.preferences) {
    const value = form.get(fieldName(row))
    if (value === null || value === row.delivery) continue
    const { channel, notificationId, subNotificationId = '' } = row
    const type = matrix.notifications.find(one => one.notificationId === notificationId)
    if (type?.locked?.includes(channel)) continue
    const delivery = offeredFrequencies(matrix, row).find(offered => offered === value)
    if (delivery === undefined) return undefined
    choices.push({ channel, delivery, notificationId, subNotificationId })
  }
  return choices
}
