// Scans the bytes of a JSON text in one pass without allocation: its depth, its keys and its escapes.

const QUOTE = 0x22
const BACKSLASH = 0x5c

export interface JsonScan {
  readonly depth: number
  /** Exact for valid JSON, which has one colon outside of strings per member. */
  readonly keys: number
  /** Whether `\u` occurs. */
  readonly escapes: boolean
  /** Whether `\ud8` to `\udf` occurs. */
  readonly surrogates: boolean
}

/** @param maxDepth - the scan stops at a deeper level */
export function scanJson(raw: Uint8Array, start: number, maxDepth: number): JsonScan {
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
        if (deepest > maxDepth) break
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
  /** Keys found so far; undefined in an array. */
  readonly seen: Set<string> | undefined
  /** The last key, or the current index. */
  at: string | number
}

/** Written by hand, because a regular expression for strings overflows the stack at some megabytes. */
function* tokens(text: string): Generator<string> {
  for (let at = 0; at < text.length; at++) {
    const char = text[at]!
    if (char === '"') {
      const start = at
      for (at++; text[at] !== '"'; at++) if (text[at] === '\\') at++
      yield text.slice(start, at + 1)
    } else if ('{}[],:'.includes(char)) yield char
  }
}

/**
 * Returns the path of the first key that occurs twice in its object. The text must be valid JSON. Called only if the number of keys
 * shows that there is one.
 */
export function findRepeatedKey(text: string): (string | number)[] | undefined {
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
