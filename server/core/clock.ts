// The clock that code gets as a parameter, so that tests control the time.

/** Milliseconds since 1970. For ids and time-outs only: the database decides by its own clock which rows are due. */
export type Clock = () => number

export const systemClock: Clock = Date.now
