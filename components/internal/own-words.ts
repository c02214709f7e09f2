// A page's own words over those of a language. What throws or is of another kind leaves the language's word in its place.

import type { Messages } from '../messages/en.ts'
import { ask } from './ask.ts'
import { mistaken } from './check.ts'

type Word = string | ((...args: readonly unknown[]) => string)

/** @param table - as much of a language as is there yet */
export function withOwn<T extends object>(host: Element, table: T, own: Partial<Messages>): T {
  const words = { ...table } as Record<string, Word>
  for (const [name, word] of Object.entries(own) as [string, Word | null | undefined][]) {
    const usual = words[name]
    if (word === undefined || word === null) continue
    if (usual !== undefined && typeof word !== typeof usual) {
      mistaken(host, `messages.${name}`, word, `a ${typeof usual}`)
    } else if (typeof word === 'string') words[name] = word
    else {
      const say = usual as typeof word | undefined
      words[name] = (...args) => ask(say?.(...args) ?? '', word, ...args)
    }
  }
  return words as T
}
