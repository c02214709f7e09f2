// A page's own words over those of a language. What throws or is of another kind leaves the language's word in its place.

import type { Messages } from '../messages/en.ts'
import { callSafely } from './safe-call.ts'
import { warnInvalid } from './validate.ts'

type Say = (...args: readonly unknown[]) => unknown
type Word = string | Say

/**
 * @param table - as much of a language as is there yet
 * @param place - the parameter that the page's own words stand in
 */
export function withOverrides<T extends object>(
  host: Element,
  table: T,
  own: Partial<Messages> | undefined,
  place = 'messages'
): T {
  const words = { ...table } as Record<string, Word | undefined>
  for (const name in own) {
    const usual = words[name]
    const word = (own as typeof words)[name] ?? usual
    if (usual && typeof word !== typeof usual) {
      warnInvalid(host, `${place}.${name}`, word, `a ${typeof usual}`)
    } else {
      words[name] =
        typeof word === 'function'
          ? (...args) => callSafely((usual as Say | undefined)?.(...args), word, ...args)
          : word
    }
  }
  return words as T
}
