// One pass over the bytes of a JSON text, without building anything: how deep, how many keys, which escapes.

const QUOTE = 0x22
const BACKSLASH = 0x5c

export interface Scan {
  readonly depth: number
  /** Exact for valid JSON: one colon outside of a text for each member. */
  readonly keys: number
  /** Whether `\u` occurs. */
  readonly escapes: boolean
  /** Whether `\ud8` to `\udf` occurs. */
  readonly surrogates: boolean
}

/** @param enough - stops as soon as it is deeper than this */
export function scan(raw: Uint8Array, start: number, enough: number): Scan {
  let depth = 0
  let deepest = 0
  let keys = 0
  let escapes = false
  let surrogates = false
  for (let i = start; i < raw.length; i++) {
    const byte = raw[i]!
    if (byte === QUOTE) {
      for (i++; i < raw.length && raw[i] !== QUOTE; i++) {
        if (raw[i] !== BACKSLASH) continue
        i++
        if (raw[i] === 0x75) {
          escapes = true
          if ((raw[i + 1]! | 0x20) === 0x64 && raw[i + 2]! >= 0x38) surrogates = true
        }
      }
    } else if (byte === 0x7b || byte === 0x5b) {
      if (++depth > deepest) {
        deepest = depth
        if (deepest > enough) break
      }
    } else if (byte === 0x7d || byte === 0x5d) {
      depth--
    } else if (byte === 0x3a) {
      keys++
    }
  }
  return { depth: deepest, escapes, keys, surrogates }
}

interface Frame {
  /** Keys met so far; undefined in an array. */
  readonly seen: Set<string> | undefined
  /** Where we are: the last key, or the index. */
  at: string | number
}

/** By hand: a pattern for texts runs out of stack in a text of some megabytes. */
function* tokens(text: string): Generator<string> {
  for (let at = 0; at < text.length; at++) {
    const sign = text[at]!
    if (sign === '"') {
      const start = at
      for (at++; text[at] !== '"'; at++) if (text[at] === '\\') at++
      yield text.slice(start, at + 1)
    } else if ('{}[],:'.includes(sign)) yield sign
  }
}

/**
 * Path of the first key that stands twice in its object, of a text that JSON.parse accepts. Only called when the count
 * of keys says that there is one.
 */
export function repeatedKey(text: string): (string | number)[] | undefined {
  const stack: Frame[] = []
  let expectsKey = false
  for (const token of tokens(text)) {
    const frame = stack.at(-1)
    if (token === '{') {
      stack.push({ at: '', seen: new Set() })
      expectsKey = true
    } else if (token === '[') {
      stack.push({ at: 0, seen: undefined })
      expectsKey = false
    } else if (token === '}' || token === ']') {
      stack.pop()
      expectsKey = false
    } else if (token === ',') {
      expectsKey = frame?.seen !== undefined
      if (frame && typeof frame.at === 'number') frame.at++
    } else if (token === ':') {
      expectsKey = false
    } else if (expectsKey && frame?.seen) {
      const key = JSON.parse(token) as string
      frame.at = key
      if (frame.seen.has(key)) return stack.map(level => level.at)
      frame.seen.add(key)
    }
  }
  return undefined
}
