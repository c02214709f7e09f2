// The interface to the sibling processes: those that serve the same port on this machine (NOTIF_PROCESSES). Modules send them what
// they need at once: inbox changes, counts of limits. A message is lost if its sibling is just being replaced, so a module also
// handles the beginning and the end of a link.

export interface Sibling {
  /** 1 for the first process. A process that replaces another one gets its number. */
  readonly number: number
  send(topic: string, text: string): void
}

export interface Siblings {
  /** Number of this process, from 1. */
  readonly number: number
  /** Whether there are no siblings. */
  readonly isAlone: boolean
  /** Sends to all siblings. Never throws; returns at once. */
  send(topic: string, text: string): void
  on(topic: string, listener: (text: string, from: Sibling) => void): void
  /** Calls the listener when a sibling can be reached, so that it gets what it does not know. */
  onReachable(listener: (sibling: Sibling) => void): void
  /** Calls the listener when a sibling begins to send: messages before that were lost. */
  onHeard(listener: (number: number) => void): void
  /** Calls the listener when the link from a sibling ends. Its counts no longer hold. */
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
