// What all fake providers share: the fault mode, and the record of accepted messages.

export const MOODS = ['fine', 'busy', 'broken', 'silent', 'reset', 'lost'] as const
/** `lost`: accepts the message and closes the connection before the acknowledgement. `silent`: accepts and answers nothing. */
export type FaultMode = (typeof MOODS)[number]

export const QUEUES = ['EMAIL', 'SMS', 'CALL', 'APN', 'FCM', 'WEB_PUSH'] as const
export type Queue = (typeof QUEUES)[number]

export interface Taken {
  /** `performance.now()` */
  readonly at: number
  /** Reference in the acknowledgement. The server's log has it for every received acknowledgement. */
  readonly ref: string
  /** Number of the node that sent the message. */
  readonly node: number
  /** Whether the acknowledgement was sent. */
  readonly isAcknowledged: boolean
}

/** Behaviour of a fake provider for one message. */
export interface Manners {
  /** Refuses for now; uses no attempt if the provider answers for all messages. */
  busy(): void
  broken(): void
  reset(): void
  /** @param ref - reference for the answer */
  yes(ref: string): void
}

export interface Ledger {
  faultMode: FaultMode
  /** Called when an acknowledgement is sent, with the number of the node that receives it. */
  onAcknowledge: ((node: number) => void) | undefined
  /** Number of messages by fault mode. */
  readonly met: ReadonlyMap<FaultMode, number>
  /** Accepted messages by queue and key. */
  readonly taken: ReadonlyMap<string, readonly Taken[]>
  /** Accepts a message or not, by the fault mode. */
  hear(queue: Queue, key: string, node: number, manners: Manners): void
}

export function openLedger(): Ledger {
  const met = new Map<FaultMode, number>()
  const taken = new Map<string, Taken[]>()
  let refs = 0

  const take = (queue: Queue, key: string, node: number, isAcknowledged: boolean): string => {
    const name = `${queue} ${key}`
    const ref = `${queue}-${(refs += 1)}`
    const list = taken.get(name) ?? []
    list.push({ at: performance.now(), isAcknowledged, node, ref })
    taken.set(name, list)
    return ref
  }

  const ledger: Ledger = {
    hear(queue, key, node, manners) {
      const { faultMode } = ledger
      met.set(faultMode, (met.get(faultMode) ?? 0) + 1)
      if (faultMode === 'silent') return
      if (faultMode === 'fine') {
        manners.yes(take(queue, key, node, true))
        return ledger.onAcknowledge?.(node)
      }
      if (faultMode !== 'lost') return manners[faultMode]()
      take(queue, key, node, false)
      manners.reset()
    },
    met,
    faultMode: 'fine',
    taken,
    onAcknowledge: undefined
  }
  return ledger
}
