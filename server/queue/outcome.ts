// What one try came to, and so what the queue does next.

import type { QueueName } from './queues.ts'

interface Copied {
  /** Of a mail: addresses of copies that have it by now, and are left out of the next try, whenever that is. */
  readonly reached?: readonly string[]
}

export type Outcome =
  /** The provider has it; `code` and `detail` where that is not all there is to say. */
  | { readonly fate: 'sent'; readonly ref?: string; readonly code?: string; readonly detail?: string }
  /** Ready for another queue, in which the row goes on with all its tries. */
  | { readonly fate: 'onward'; readonly queue: QueueName; readonly detail?: string }
  /** This message failed now and may work later: its try is spent. `after`: milliseconds the provider asked for. */
  | (Copied & {
      readonly fate: 'retry'
      readonly code: string
      readonly detail: string
      readonly after?: number
      /** It says nothing about other messages: the queue does not rest for it. */
      readonly alone?: true
    })
  /** The provider's fault, whatever the message: the try is given back, the queue rests and then probes. */
  | (Copied & {
      readonly fate: 'pause'
      readonly code: string
      readonly detail: string
      readonly after?: number
    })
  /** Will never work. */
  | (Copied & {
      readonly fate: 'dead'
      readonly code: string
      readonly detail: string
      /** Of a mail: nothing that is sent there will ever arrive. */
      readonly badAddress?: true
    })
  /** Will never work, and the address is to be forgotten. */
  | {
      readonly fate: 'gone'
      readonly code: string
      readonly detail: string
      /** When the provider last knew it to be gone; absent: now. */
      readonly asOf?: Date
    }
  /** The lease might end during the call, so there was none: the row goes back, and its try with it. */
  | { readonly fate: 'late' }
  /** May have arrived: the channel's rule decides about another try. */
  | (Copied & { readonly fate: 'uncertain'; readonly code: string; readonly detail: string })
