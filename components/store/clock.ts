// The server's time, as far as this page knows it: the clocks of people's machines are wrong, some by days.

export const clock = {
  /**
   * How far the server's clock is ahead of the own one, in milliseconds: http.ts hears of it with every answer, and cache.ts
   * knows what the last page has heard. Undefined: nobody knows.
   */
  ahead: undefined as number | undefined,
  /** Milliseconds since 1970 by the server's clock; by the own one while nobody knows. */
  now: (): number => Date.now() + (clock.ahead ?? 0)
}
