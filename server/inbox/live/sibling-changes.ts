// Inbox changes between the processes of one machine: with their content, so that a socket of another process gets them without a
// read. What is lost when a process is replaced is found by a sweep.

import type { InboxChange } from '#protocol'

import type { InboxEvent, LiveUpdates } from '../../core/live-updates.ts'
import type { Siblings } from '../../core/siblings.ts'
import { QUEUES, type QueueName } from '../../queue/queues.ts'

const CHANGE = 'inbox change'
const PREFERENCES = 'preferences'
const RECHECK = 'recheck'
const ROWS = 'rows returned'

type User = Parameters<LiveUpdates['preferencesChanged']>[0]

export interface SiblingChangeListeners {
  /** Whether a connection of this process needs changes of the user. The content of others is not parsed. */
  readonly isConnected: (envId: string, userId: string) => boolean
  readonly onChange: (event: InboxEvent) => void
  readonly onPreferences: (user: User) => void
  readonly onRecheck: (user: User) => void
  readonly onRowsReturned: (queue: QueueName) => void
  /** Messages of a sibling may have been lost. */
  readonly onMissed: () => void
}

export interface SiblingChanges {
  change(events: readonly InboxEvent[]): void
  preferences(user: User): void
  recheck(users: readonly User[]): void
  rowsReturned(queue: QueueName): void
}

/** Neither id contains NUL. */
const toText = ({ envId, userId }: User, rest = ''): string => `${envId}\0${userId}\0${rest}`

function fromText(text: string): User & { readonly rest: string } {
  const env = text.indexOf('\0')
  const user = text.indexOf('\0', env + 1)
  return { envId: text.slice(0, env), rest: text.slice(user + 1), userId: text.slice(env + 1, user) }
}

export function shareChanges(siblings: Siblings, listeners: SiblingChangeListeners): SiblingChanges {
  siblings.on(CHANGE, text => {
    const { envId, rest, userId } = fromText(text)
    if (!listeners.isConnected(envId, userId)) return
    listeners.onChange({ change: JSON.parse(rest) as InboxChange, envId, userId })
  })
  siblings.on(PREFERENCES, text => listeners.onPreferences(fromText(text)))
  siblings.on(RECHECK, text => listeners.onRecheck(fromText(text)))
  siblings.on(ROWS, text => {
    const queue = QUEUES.find(name => name === text)
    if (queue) listeners.onRowsReturned(queue)
  })
  siblings.onHeard(listeners.onMissed)
  return {
    change(events) {
      if (siblings.isAlone) return
      for (const event of events) siblings.send(CHANGE, toText(event, JSON.stringify(event.change)))
    },
    preferences: user => siblings.send(PREFERENCES, toText(user)),
    recheck(users) {
      for (const user of users) siblings.send(RECHECK, toText(user))
    },
    rowsReturned: queue => siblings.send(ROWS, queue)
  }
}
