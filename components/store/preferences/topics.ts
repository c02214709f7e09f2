// Topics that the user leaves or joins again: shown immediately, and undone if the server refuses.

import type { JoinedTopic, Preferences } from '../../protocol/index.ts'
import type { Transport } from '../transport.ts'

interface Options {
  readonly transport: Pick<Transport, 'updateTopic'>
  /** Called when `apply` returns something else. */
  readonly onChange: () => void
  /** Reads the preferences after the server has a change. */
  readonly reload: () => Promise<void>
}

interface TopicChanges {
  /** Returns the preferences with the changes of this page that no answer contains yet. */
  apply(preferences: Preferences): Preferences
  /** @param shown - current preferences; undefined if they were not read */
  update(id: string, isMember: boolean, shown: Preferences | undefined): Promise<void>
}

export function createTopicChanges({ onChange, reload, transport }: Options): TopicChanges {
  /** Their titles are shown when they are joined again. */
  const left = new Map<string, JoinedTopic>()
  /** The latest change of each topic, until an answer contains it. */
  const pending = new Map<string, { readonly isMember: boolean }>()
  /** One request after the other, so that the last click wins. */
  let last: Promise<unknown> = Promise.resolve()

  return {
    apply(preferences) {
      const { topics } = preferences
      if (!topics || pending.size === 0) return preferences
      const others = topics.filter(({ id }) => !pending.has(id))
      const changed = [...pending].flatMap(([id, { isMember }]) => {
        const topic = topics.find(one => one.id === id) ?? left.get(id)
        return topic && isMember ? [topic] : []
      })
      return { ...preferences, topics: [...others, ...changed] }
    },
    async update(id, isMember, shown) {
      const topic = shown?.topics?.find(one => one.id === id)
      if (topic) left.set(id, topic)
      const change = { isMember }
      pending.set(id, change)
      onChange()
      const request = last.then(() => transport.updateTopic(id, isMember))
      last = request.catch(() => {})
      try {
        await request
        await reload()
      } finally {
        if (pending.get(id) === change) {
          pending.delete(id)
          onChange()
        }
      }
    }
  }
}
