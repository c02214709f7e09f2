// A page's own words over those of a language. What throws or is of another kind leaves the language's word in its place.

import type { Messages } from '../messages/en.ts'
import { ask } from './ask.ts'
import { mistaken } from './check.ts'

type Word = string | ((...args: readonly unknown[]) => unknown)

/** @param table - as much of a language as is there yet */
export function withOwn<T extends object>(host: Element, table: T, own: Partial<Messages>): T {
  const words = { ...table } as Record<string, Word | undefined>
  for (const name in own) {
    const usual = words[name]
    const word = (own as typeof words)[name] ?? usual
    const say = usual as Exclude<Word, string> | undefined
    if (typeof word !== typeof (usual ?? word)) {
      mistaken(host, `messages.${name}`, word, `a ${typeof usual}`)
    } else words[name] = typeof word === 'function' ? (...args) => ask(say?.(...args), word, ...args) : word
  }
  return words as T
}
