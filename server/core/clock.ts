// Time is passed in, so that a test can hold it.

/** Milliseconds since 1970. Only for ids and time-outs: what is due is decided by the database itself. */
export type Clock = () => number

export const systemClock: Clock = Date.now
