// What a committed transaction did to one inbox: handed to the live connections and, as a hint, to other nodes.

import type { InboxChange } from '#protocol'

export interface InboxEvent {
  readonly envId: string
  readonly userId: string
  readonly change: InboxChange
}
