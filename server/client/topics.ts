// Topics: groups of users that you send to at once.

import type { Call, CallOptions } from './call.ts'
import type { Instant, PageOptions } from './names.ts'
import type { RowCount } from './queues.ts'

/** A group of users. */
export interface TopicGroup {
  readonly id: string
  /** What its members read in their preferences. */
  readonly title: string
  readonly createdAt: Instant
}

export interface TopicMember {
  readonly userId: string
  readonly addedAt: Instant
}

/** Ids of users: at most 1,000 in both lists together. */
export interface TopicMemberChange {
  readonly add?: readonly string[]
  readonly remove?: readonly string[]
}

export const topicCalls = (call: Call) => ({
  /** Creates or renames a topic. */
  putTopic: (id: string, title: string, options?: CallOptions): Promise<TopicGroup> =>
    call({ body: { title }, method: 'PUT', path: ['topics', id] }, options),

  /** Lists the topics of the environment, by id. */
  listTopics: (
    page: PageOptions = {},
    options?: CallOptions
  ): Promise<{ readonly topics: readonly TopicGroup[]; readonly next?: string }> =>
    call({ method: 'GET', path: ['topics'], query: { ...page } }, options),

  /** Returns a topic with the number of its members. @throws NotifProblem 404 if it does not exist */
  getTopic: (id: string, options?: CallOptions): Promise<TopicGroup & { readonly members: RowCount }> =>
    call({ method: 'GET', path: ['topics', id] }, options),

  /** Deletes a topic with its members. @throws NotifProblem 404 if it does not exist */
  deleteTopic: async (id: string, options?: CallOptions): Promise<void> => {
    await call({ method: 'DELETE', path: ['topics', id] }, options)
  },

  /** Adds and removes members. Creates the topic if it does not exist. Returns how many there were that changed. */
  changeTopicMembers: (
    id: string,
    change: TopicMemberChange,
    options?: CallOptions
  ): Promise<{ readonly id: string; readonly added: number; readonly removed: number }> =>
    call({ body: change, method: 'PUT', path: ['topics', id, 'members'] }, options),

  /** Lists the members of a topic, by id. @throws NotifProblem 404 if it does not exist */
  listTopicMembers: (
    id: string,
    page: PageOptions = {},
    options?: CallOptions
  ): Promise<{ readonly members: readonly TopicMember[]; readonly next?: string }> =>
    call({ method: 'GET', path: ['topics', id, 'members'], query: { ...page } }, options),

  /** Lists the topics of a user, by id. */
  listUserTopics: (
    userId: string,
    page: PageOptions = {},
    options?: CallOptions
  ): Promise<{
    readonly topics: readonly (Omit<TopicGroup, 'createdAt'> & { readonly addedAt: Instant })[]
    readonly next?: string
  }> => call({ method: 'GET', path: ['users', userId, 'topics'], query: { ...page } }, options),

  /** Ends the membership of a user, who can take that back for an hour. */
  leaveTopic: async (userId: string, id: string, options?: CallOptions): Promise<void> => {
    await call({ method: 'DELETE', path: ['users', userId, 'topics', id] }, options)
  },

  /** Makes a user who left a topic a member again. @throws NotifProblem 404 if the user did not leave it within the last hour */
  rejoinTopic: async (userId: string, id: string, options?: CallOptions): Promise<void> => {
    await call({ method: 'PUT', path: ['users', userId, 'topics', id] }, options)
  }
})
