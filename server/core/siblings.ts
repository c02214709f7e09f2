// The interface to the sibling processes: those of this machine that serve the same port (NOTIF_PROCESSES). Modules tell them what
// they must know at once: inbox changes, counts of limits. A message may be lost when a sibling is replaced, so whoever listens also
// has to handle a new link.

export interface Sibling {
  /** 1 for the first process. A process that replaces another one gets its number. */
  readonly number: number
  send(topic: string, text: string): void
}

export interface Siblings {
  /** Number of this process, from 1. */
  readonly number: number
  /** Whether there are no siblings, so that nobody needs a message. */
  readonly isAlone: boolean
  /** Sends to all siblings. Never throws; returns at once. */
  send(topic: string, text: string): void
  on(topic: string, listener: (text: string, from: Sibling) => void): void
  /** Calls the listener when a sibling can be reached, so that it is sent what it does not know. */
  onReachable(listener: (sibling: Sibling) => void): void
  /** Calls the listener when a sibling begins to send: messages before that were lost. */
  onHeard(listener: (number: number) => void): void
  /** Calls the listener when the link from a sibling ends. What it counted is void. */
  onLost(listener: (number: number) => void): void
  /** The siblings that can be reached now. */
  reachable(): readonly Sibling[]
}

/** For a process that serves its port alone. */
export const NO_SIBLINGS: Siblings = {
  isAlone: true,
  number: 1,
  on() {},
  onHeard() {},
  onLost() {},
  onReachable() {},
  reachable: () => [],
  send() {}
}
