// Reads the preferences of one user from the database and the types.

import { CHANNELS, type JoinedTopic, type Preferences } from '#protocol'

import type { Environment } from '../../config/environment-settings.ts'
import type { UserKey } from '../../core/id.ts'
import type { Context } from '../../process/context.ts'
import type { Types } from '../../types/type.ts'
import { readTopicTitles } from '../topics/topics.sql.ts'
import { readMemberships } from '../topics/user-topics.sql.ts'
import { isBlocked, viewSettings } from './delivery-settings.ts'
import { buildMatrix, type Matrix } from './matrix.ts'
import { readPreferencesAndTopics } from './preferences.sql.ts'

/** Groups of users that a user sees in the preferences; `listUserTopics` has all of them. */
const MAX_SHOWN_TOPICS = 200

type MatrixContext = Pick<Context, 'db'> & { readonly types: Pick<Types, 'get'> }

async function read({ db, types }: MatrixContext, { id, settings }: Environment, user: UserKey) {
  const { sql } = db.of(user.bucket)
  const [stored, memberships] = await Promise.all([
    readPreferencesAndTopics(sql, user),
    readMemberships(sql, user, MAX_SHOWN_TOPICS)
  ])
  const { preferences, received } = stored
  const ids = new Set([...received, ...preferences].map(topic => topic.notificationId))
  const memberOf = memberships.map(({ topicId }) => topicId)
  const [groupTitles, ...found] = await Promise.all([
    readTopicTitles(db, id, [...memberOf, ...received.map(topic => topic.subNotificationId)]),
    ...[...ids].map(typeId => types.get(id, typeId))
  ])
  const matrix = buildMatrix({
    environment: settings,
    groupTitles,
    preferences,
    receivedTopics: received,
    types: found.filter(type => type !== undefined)
  })
  return { matrix, stored, topics: listTopics(memberOf, groupTitles) }
}

/** @param titles - of topics that exist */
const listTopics = (ids: readonly string[], titles: ReadonlyMap<string, string>): JoinedTopic[] =>
  ids
    .flatMap(id => {
      const title = titles.get(id)
      return title === undefined ? [] : [{ id, title }]
    })
    .sort((a, b) => a.title.localeCompare(b.title))

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
  const { matrix, stored, topics } = await read(context, environment, user)
  const blocked = CHANNELS.filter(channel => isBlocked(channel, stored.preferences))
  const channels = matrix.notifications.flatMap(type => type.channels)
  const zone = stored.timezone ?? environment.settings.defaultTimezone ?? context.config.timezone
  return {
    ...matrix,
    topics,
    ...viewSettings({ blocked, channels, settings: stored.settings, now: context.clock(), zone })
  }
}
