// Reads request bodies: raw bytes within a limit, then strict JSON, whatever the content type.

import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'

import { findRepeatedKey, scanJson } from './json-scan.ts'
import { toPointer } from './parse-input.ts'
import { Problem } from './problem.ts'

/** Levels of nesting, because reading a body recurses into each of them. */
const MAX_DEPTH = 32

/** Keys of all objects of a body, because each costs several times its bytes in memory. */
const MAX_KEYS = 10_000

/** A too large body is read up to this size before it is refused, so that the client reads the answer instead of a connection reset. */
const MAX_DISCARDED_BYTES = 16 * 1024 * 1024
/** The same for routes that need only the head of a body. */
const MAX_IGNORED_BYTES = 128 * 1024 * 1024

/**
 * Reads the whole body. Compressed bodies are refused, because a small one could inflate to a huge one.
 *
 * @param headBytes - only these bytes are kept, and the limit does not apply
 * @throws Problem `body-too-large`, `unsupported-encoding`, or `invalid-json` if the client disconnects
 */
export function readBody(request: IncomingMessage, limitBytes: number, headBytes?: number): Promise<Buffer> {
  const encoding = request.headers['content-encoding']
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    return Promise.reject(
      new Problem('unsupported-encoding', 'Content-Encoding is not supported. Send the body uncompressed.')
    )
  }
  const tooLarge = (close: boolean) =>
    new Problem('body-too-large', `The body has more than ${limitBytes} bytes.`, {
      headers: close ? { connection: 'close' } : {}
    })
  const discardBytes = Math.max(limitBytes, MAX_DISCARDED_BYTES)
  if (headBytes !== undefined) return readHead(request, headBytes)
  if (Number(request.headers['content-length']) > discardBytes) return Promise.reject(tooLarge(true))

  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    const settle = (error: Problem | undefined) => {
      request.off('data', take).off('end', end).off('error', leave).off('close', leave)
      if (error) reject(error)
      else resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks))
    }
    const take = (chunk: Buffer) => {
      size += chunk.length
      if (size <= limitBytes) chunks.push(chunk)
      else if (size > discardBytes) settle(tooLarge(true))
    }
    const end = () => settle(size > limitBytes ? tooLarge(false) : undefined)
    const leave = () => settle(endedEarly())
    request.on('data', take).on('end', end).on('error', leave).on('close', leave)
  })
}

async function readHead(request: IncomingMessage, bytes: number): Promise<Buffer> {
  const head: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      if (size < bytes) head.push(chunk.subarray(0, bytes - size))
      size += chunk.length
      if (size > MAX_IGNORED_BYTES) break
    }
  } catch {
    throw endedEarly()
  }
  return Buffer.concat(head)
}

const endedEarly = (): Problem =>
  new Problem('invalid-json', 'The connection ended before the whole body arrived.')

/** Keys with a special meaning for JavaScript objects (prototype pollution). No client needs them. */
const FORBIDDEN = new Set(['__proto__', 'constructor', 'prototype'])

const invalid = (detail: string): Problem => new Problem('invalid-json', detail)
const invalidValue = (path: readonly PropertyKey[], detail: string): Problem =>
  new Problem('invalid-request', detail, { errors: [{ detail, pointer: toPointer(path) }] })

/**
 * Parses strict JSON (RFC 8259) in UTF-8, with or without a byte order mark. Also refuses values that cannot be stored or that
 * parsers read differently: repeated keys, numbers out of range, NUL, lone surrogates, keys such as `__proto__`.
 *
 * @returns undefined for an empty body
 * @throws Problem `invalid-json` or `invalid-request`
 */
export function parseJson(raw: Buffer): unknown {
  if (raw.length === 0) return undefined
  if (raw.length > 1 && (raw.readUInt16BE(0) >= 0xfeff || raw[0] === 0 || raw[1] === 0)) {
    throw invalid('The body seems to be UTF-16 or UTF-32. Send UTF-8.')
  }
  if (!isUtf8(raw)) throw invalid('The body is not valid UTF-8.')
  const start = raw[0] === 0xef && raw[1] === 0xbb && raw[2] === 0xbf ? 3 : 0

  // Before JSON.parse, so that a body of brackets costs one pass over its bytes.
  const { depth, keys, surrogates, escapes } = scanJson(raw, start, MAX_DEPTH)
  if (depth > MAX_DEPTH) throw invalid(`The body is nested more than ${MAX_DEPTH} levels deep.`)
  if (keys > MAX_KEYS) throw invalid(`The body has more than ${MAX_KEYS} keys.`)

  const text = raw.toString('utf8', start)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw invalid(`The body is not JSON: ${(error as SyntaxError).message}`)
  }
  const keyCount = inspect(value, [], { escapes, surrogates })
  if (keyCount !== keys) {
    const path = findRepeatedKey(text)
    if (path) throw invalidValue(path, 'This key occurs twice in the same object.')
  }
  return value
}

/** What the scan found: texts are checked only if they can be wrong. */
interface EscapesFound {
  /** A text may contain `\u0000`. */
  readonly escapes: boolean
  /** A text may contain `\ud800` to `\udfff`. */
  readonly surrogates: boolean
}

/** Checks all values. The depth was checked before, so recursion is safe. @returns the number of keys */
function inspect(value: unknown, path: (string | number)[], found: EscapesFound): number {
  if (typeof value === 'string') {
    if (found.escapes) checkText(value, path, found)
    return 0
  }
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw invalidValue(path, 'This number is too large.')
    return 0
  }
  if (typeof value !== 'object' || value === null) return 0
  let count = 0
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) {
      path.push(i)
      count += inspect(value[i], path, found)
      path.pop()
    }
    return count
  }
  for (const key of Object.keys(value)) {
    path.push(key)
    if (FORBIDDEN.has(key)) throw invalidValue(path, 'This key is not allowed.')
    if (found.escapes) checkText(key, path, found)
    count += 1 + inspect((value as Record<string, unknown>)[key], path, found)
    path.pop()
  }
  return count
}

function checkText(text: string, path: readonly PropertyKey[], { surrogates }: EscapesFound): void {
  if (text.includes('\0')) throw invalidValue(path, 'The character U+0000 cannot be stored. Remove it.')
  if (surrogates && !text.isWellFormed())
    throw invalidValue(path, 'A lone surrogate is not a character. Remove it.')
}
