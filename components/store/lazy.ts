// Functions whose code is still to be fetched.

import { TransportError, type Commands } from './transport.ts'

/** Gives code, or the promise of it; it is fetched by the first call, and after a failure by the next. */
export function fetched<T>(what: string, load: () => Promise<T>): () => T | Promise<T> {
  let code: T | undefined
  let loading: Promise<T> | undefined
  const begin = async (): Promise<T> => {
    try {
      return (code = await load())
    } catch (cause) {
      loading = undefined
      throw new TransportError(0, `The code of the ${what} could not be loaded.`, { cause })
    }
  }
  return () => code ?? (loading ??= begin())
}

/** Functions whose code is still to be fetched; they act at once when it is there. */
export const late = <T, N extends string & keyof T>(
  load: () => T | Promise<T>,
  names: readonly N[]
): Pick<T, N> =>
  Object.fromEntries(
    names.map(name => [
      name,
      (...args: never[]) => {
        const act = (code: T): unknown => (code[name] as (...args: never[]) => unknown)(...args)
        const code = load()
        return code instanceof Promise ? code.then(act) : act(code)
      }
    ])
  ) as unknown as Pick<T, N>

/** @param load - called for each command */
export const lateCommands = (load: () => Commands | Promise<Commands>): Commands =>
  late(load, ['changes', 'choose', 'identify', 'kept', 'optIn', 'page', 'patch', 'preferences'])
