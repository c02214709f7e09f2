// The body of a request: its raw bytes within a limit, then strict JSON whatever the content type says.

import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'

import { repeatedKey, scan } from './json-scan.ts'
import { pointerOf } from './parse-input.ts'
import { Problem } from './problem.ts'

/** Levels of nesting: reading a body recurses into each of them. */
const MAX_DEPTH = 32

/** Keys of all objects of a body together: each costs memory several times its bytes. */
const MAX_KEYS = 10_000

/** A body that is too large is still read to its end up to here, so that the caller hears why instead of a reset. */
const DISCARD = 16 * 1024 * 1024
/** One of which the head is enough, likewise; then it is answered without being read to its end. */
const LET_PASS = 128 * 1024 * 1024

/**
 * Every byte of the body. Nothing is inflated: a small body cannot become a large one.
 *
 * @param limit - bytes
 * @param head - bytes; only these are read, whatever the limit says, and what is beyond is let pass
 * @throws Problem `body-too-large`, `unsupported-encoding`, or `invalid-json` when the caller leaves in the middle
 */
export function readBody(request: IncomingMessage, limit: number, head?: number): Promise<Buffer> {
  const encoding = request.headers['content-encoding']
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    return Promise.reject(
      new Problem('unsupported-encoding', 'Send the body as it is, without Content-Encoding.')
    )
  }
  const tooLarge = (close: boolean) =>
    new Problem('body-too-large', `The body has more than ${limit} bytes.`, {
      headers: close ? { connection: 'close' } : {}
    })
  const discard = Math.max(limit, DISCARD)
  if (head !== undefined) return readHead(request, head)
  if (Number(request.headers['content-length']) > discard) return Promise.reject(tooLarge(true))

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
      if (size <= limit) chunks.push(chunk)
      else if (size > discard) settle(tooLarge(true))
    }
    const end = () => settle(size > limit ? tooLarge(false) : undefined)
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
      if (size > LET_PASS) break
    }
  } catch {
    throw endedEarly()
  }
  return Buffer.concat(head)
}

const endedEarly = (): Problem => new Problem('invalid-json', 'The body ended too early.')

/** Keys that mean something to JavaScript objects: no caller needs them, and code that merges objects trips over them. */
const FORBIDDEN = new Set(['__proto__', 'constructor', 'prototype'])

const invalid = (detail: string): Problem => new Problem('invalid-json', detail)
const unfit = (path: readonly PropertyKey[], detail: string): Problem =>
  new Problem('invalid-request', detail, { errors: [{ detail, pointer: pointerOf(path) }] })

/**
 * Strict JSON (RFC 8259) in UTF-8, a leading byte order mark ignored; undefined for an empty body. Beyond the grammar
 * it refuses what cannot be kept or means different things to different readers: repeated keys, numbers out of range,
 * NUL, lone surrogates, keys such as `__proto__`.
 */
export function parseJson(raw: Buffer): unknown {
  if (raw.length === 0) return undefined
  if (raw.length > 1 && (raw.readUInt16BE(0) >= 0xfeff || raw[0] === 0 || raw[1] === 0)) {
    throw invalid('The body is not UTF-8 but, it seems, UTF-16 or UTF-32.')
  }
  if (!isUtf8(raw)) throw invalid('The body is not UTF-8.')
  const start = raw[0] === 0xef && raw[1] === 0xbb && raw[2] === 0xbf ? 3 : 0

  // Before anything is built: a body of brackets costs one pass over its bytes.
  const { depth, keys, surrogates, escapes } = scan(raw, start, MAX_DEPTH)
  if (depth > MAX_DEPTH) throw invalid(`The body is nested more than ${MAX_DEPTH} levels deep.`)
  if (keys > MAX_KEYS) throw invalid(`The body has more than ${MAX_KEYS} keys.`)

  const text = raw.toString('utf8', start)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw invalid(`The body is not JSON: ${(error as SyntaxError).message}`)
  }
  const counted = inspect(value, [], { escapes, surrogates })
  if (counted !== keys) {
    const path = repeatedKey(text)
    if (path) throw unfit(path, 'This key stands twice in the same object.')
  }
  return value
}

interface Suspicions {
  /** `\u0000` may stand in a text. */
  readonly escapes: boolean
  /** `\ud800` to `\udfff` may stand in a text. */
  readonly surrogates: boolean
}

/** Depth was checked before, so recursion is safe. @returns how many keys there are */
function inspect(value: unknown, path: (string | number)[], suspicions: Suspicions): number {
  if (typeof value === 'string') {
    if (suspicions.escapes) checkText(value, path, suspicions)
    return 0
  }
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw unfit(path, 'This number is too large.')
    return 0
  }
  if (typeof value !== 'object' || value === null) return 0
  let count = 0
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) {
      path.push(i)
      count += inspect(value[i], path, suspicions)
      path.pop()
    }
    return count
  }
  for (const key of Object.keys(value)) {
    path.push(key)
    if (FORBIDDEN.has(key)) throw unfit(path, 'This key is not allowed.')
    if (suspicions.escapes) checkText(key, path, suspicions)
    count += 1 + inspect((value as Record<string, unknown>)[key], path, suspicions)
    path.pop()
  }
  return count
}

function checkText(text: string, path: readonly PropertyKey[], { surrogates }: Suspicions): void {
  if (text.includes('\0')) throw unfit(path, 'The character U+0000 cannot be stored.')
  if (surrogates && !text.isWellFormed()) throw unfit(path, 'Half of a surrogate pair is not a character.')
}
