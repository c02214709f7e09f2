// Reads the preferences of one user from the database and the types.

import { CHANNELS, type Preferences } from '#protocol'

import type { Environment } from '../../config/environment-settings.ts'
import type { UserKey } from '../../core/id.ts'
import type { Context } from '../../process/context.ts'
import type { Types } from '../../types/type.ts'
import { isBlocked, viewSettings } from './delivery-settings.ts'
import { buildMatrix, type Matrix } from './matrix.ts'
import { readPreferencesAndTopics } from './preferences.sql.ts'

type MatrixContext = Pick<Context, 'db'> & { readonly types: Pick<Types, 'get'> }

async function read({ db, types }: MatrixContext, { id, settings }: Environment, user: UserKey) {
  const stored = await readPreferencesAndTopics(db.of(user.bucket).sql, user)
  const { preferences, received } = stored
  const ids = new Set([...received, ...preferences].map(topic => topic.notificationId))
  const found = await Promise.all([...ids].map(typeId => types.get(id, typeId)))
  const matrix = buildMatrix({
    environment: settings,
    preferences,
    receivedTopics: received,
    types: found.filter(type => type !== undefined)
  })
  return { matrix, stored }
}

export const readMatrix = async (
  context: MatrixContext,
  environment: Environment,
  user: UserKey
): Promise<Matrix> => (await read(context, environment, user)).matrix

/** The matrix, and the settings that are not about one type. */
export async function readPreferences(
  context: MatrixContext & Pick<Context, 'clock' | 'config'>,
  environment: Environment,
  user: UserKey
): Promise<Required<Preferences>> {
  const { matrix, stored } = await read(context, environment, user)
  const blocked = CHANNELS.filter(channel => isBlocked(channel, stored.preferences))
  const channels = matrix.notifications.flatMap(type => type.channels)
  const zone = stored.timezone ?? environment.settings.defaultTimezone ?? context.config.timezone
  return {
    ...matrix,
    ...viewSettings({ blocked, channels, settings: stored.settings, now: context.clock(), zone })
  }
}
