// What every provider of the storm has in common: its mood, and the book of what it has taken.

export const MOODS = ['fine', 'busy', 'broken', 'silent', 'reset', 'lost'] as const
/** `lost`: it takes the message and the line ends before its yes. `silent`: it never answers, and takes nothing. */
export type Mood = (typeof MOODS)[number]

export const QUEUES = ['EMAIL', 'SMS', 'CALL', 'APN', 'FCM', 'WEB_PUSH'] as const
export type Queue = (typeof QUEUES)[number]

export interface Taken {
  /** `performance.now()` */
  readonly at: number
  /** What its yes says: the server's log has it for every yes that was heard. */
  readonly ref: string
  /** Number of the node that handed it over. */
  readonly node: number
  /** Whether the yes was said. */
  readonly said: boolean
}

/** How a peer behaves towards one message. */
export interface Manners {
  /** Too many, or not now: costs no try where the peer speaks for all messages. */
  busy(): void
  broken(): void
  reset(): void
  /** @param ref - to be named in the answer */
  yes(ref: string): void
}

export interface Ledger {
  mood: Mood
  /** Hears of a yes in the moment in which it is said, with the number of the node that it is for. */
  told: ((node: number) => void) | undefined
  /** How many messages met each mood. */
  readonly met: ReadonlyMap<Mood, number>
  /** By queue and key. */
  readonly taken: ReadonlyMap<string, readonly Taken[]>
  /** Takes a message, or does not, as the mood is. */
  hear(queue: Queue, key: string, node: number, manners: Manners): void
}

export function openLedger(): Ledger {
  const met = new Map<Mood, number>()
  const taken = new Map<string, Taken[]>()
  let refs = 0

  const take = (queue: Queue, key: string, node: number, said: boolean): string => {
    const name = `${queue} ${key}`
    const ref = `${queue}-${(refs += 1)}`
    const list = taken.get(name) ?? []
    list.push({ at: performance.now(), node, ref, said })
    taken.set(name, list)
    return ref
  }

  const ledger: Ledger = {
    hear(queue, key, node, manners) {
      const { mood } = ledger
      met.set(mood, (met.get(mood) ?? 0) + 1)
      if (mood === 'silent') return
      if (mood === 'fine') {
        manners.yes(take(queue, key, node, true))
        return ledger.told?.(node)
      }
      if (mood !== 'lost') return manners[mood]()
      take(queue, key, node, false)
      manners.reset()
    },
    met,
    mood: 'fine',
    taken,
    told: undefined
  }
  return ledger
}
