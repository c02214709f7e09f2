// Topics of an inbox in memory.

import type { JoinedTopic, Preferences } from '../protocol/index.ts'
import { TransportError } from '../store/transport.ts'

/** @returns a function that returns the preferences after the user left a topic, or joined again one that was there. */
export function createMemoryTopics() {
  const known = new Map<string, JoinedTopic>()
  return (preferences: Preferences, id: string, isMember: boolean): Preferences => {
    const { topics = [] } = preferences
    for (const topic of topics) known.set(topic.id, topic)
    const topic = known.get(id)
    if (!topic) throw new TransportError(404, `There is no topic ${JSON.stringify(id)}.`)
    const others = topics.filter(one => one.id !== id)
    return { ...preferences, topics: isMember ? [...others, topic] : others }
  }
}
