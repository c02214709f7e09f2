// Reads the preference matrix of one user from the database and the types.

import type { Preferences } from '#protocol'

import type { Environment } from '../../config/environment-settings.ts'
import type { UserKey } from '../../core/id.ts'
import type { Context } from '../../process/context.ts'
import type { Types } from '../../types/type.ts'
import { buildMatrix } from './matrix.ts'
import { readPreferencesAndTopics } from './preferences.sql.ts'

export async function readMatrix(
  { db, types }: Pick<Context, 'db'> & { readonly types: Pick<Types, 'get'> },
  { id, settings }: Environment,
  user: UserKey
): Promise<Preferences> {
  const { preferences, received } = await readPreferencesAndTopics(db.of(user.bucket).sql, user)
  const ids = new Set([...received, ...preferences].map(topic => topic.notificationId))
  const found = await Promise.all([...ids].map(typeId => types.get(id, typeId)))
  return buildMatrix({
    environment: settings,
    preferences,
    receivedTopics: received,
    types: found.filter(type => type !== undefined)
  })
}
