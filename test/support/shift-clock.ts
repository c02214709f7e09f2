// Starts `Date` at the instant in TEST_CLOCK, in every process that imports this file.

/** Stands alone: pages of element tests run its text. */
export function shiftClock(to: string): void {
  const Real = Date
  const offset = Real.parse(to) - Real.now()
  const now = (): number => Real.now() + offset
  globalThis.Date = new Proxy(Real, {
    apply: () => new Real(now()).toString(),
    construct: (target, args: readonly unknown[], made) =>
      Reflect.construct(target, args.length > 0 ? args : [now()], made) as object,
    get: (target, key) => (key === 'now' ? now : (Reflect.get(target, key) as unknown))
  })
}

const to = typeof process === 'undefined' ? undefined : process.env['TEST_CLOCK']
if (to) shiftClock(to)
