// Functions whose code is loaded by the first call.

import { TransportError, type Commands } from './transport.ts'

/**
 * Returns the code, or the promise of it. The first call loads it; after a failure the next call loads it again.
 *
 * @param name - name of the code in the error
 */
export function lazyModule<T>(name: string, load: () => Promise<T>): () => T | Promise<T> {
  let code: T | undefined
  let loading: Promise<T> | undefined
  const begin = async (): Promise<T> => {
    try {
      return (code = await load())
    } catch (cause) {
      loading = undefined
      throw new TransportError(0, `The code of the ${name} could not be loaded.`, { cause })
    }
  }
  return () => code ?? (loading ??= begin())
}

/** Functions that load their code at the first call. Once it is loaded, they run synchronously. */
export const lazyFunctions = <T, N extends string & keyof T>(
  load: () => T | Promise<T>,
  names: readonly N[]
): Pick<T, N> =>
  Object.fromEntries(
    names.map(name => [
      name,
      (...args: never[]) => {
        const call = (code: T): unknown => (code[name] as (...args: never[]) => unknown)(...args)
        const code = load()
        return code instanceof Promise ? code.then(call) : call(code)
      }
    ])
  ) as unknown as Pick<T, N>

/** @param load - called for each command */
export const lazyCommands = (load: () => Commands | Promise<Commands>): Commands =>
  lazyFunctions(load, [
    'getChanges',
    'getPage',
    'getPreferences',
    'getTypeCounts',
    'identify',
    'openCache',
    'patch',
    'press',
    'setWebPushOptIn',
    'updateDeliveries',
    'updateSettings',
    'updateTopic'
  ])
