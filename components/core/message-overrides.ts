// Replaces texts of a language by those of the page. A text of another type, or one that throws, leaves the original in place.

import type { Messages } from '../messages/en.ts'
import { callSafely } from './safe-call.ts'
import { warnInvalid } from './validate.ts'

type Format = (...args: readonly unknown[]) => unknown
type Text = string | Format

/**
 * @param messages - the texts of a language that are loaded
 * @param parameter - with the texts of the page
 */
export function withOverrides<T extends object>(
  host: Element,
  messages: T,
  overrides: Partial<Messages> | undefined,
  parameter = 'messages'
): T {
  const result = { ...messages } as Record<string, Text | undefined>
  for (const name in overrides) {
    const original = result[name]
    const text = (overrides as typeof result)[name] ?? original
    if (original && typeof text !== typeof original) {
      warnInvalid(host, `${parameter}.${name}`, text, `a ${typeof original}`)
    } else {
      result[name] =
        typeof text === 'function'
          ? (...args) => callSafely((original as Format | undefined)?.(...args), text, ...args)
          : text
    }
  }
  return result as T
}
