// Unix times as existing clients send them: in seconds or in milliseconds.

/** Seconds end where milliseconds begin (spec/wire.md 4.3). @returns milliseconds since 1970 */
export const toMillis = (time: number): number => (Math.abs(time) < 1e11 ? time * 1000 : time)
