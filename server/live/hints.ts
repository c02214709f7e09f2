// Tells the other nodes which inboxes and preferences have changed: merged, after the commit, and never needed for correctness.

import { randomBytes } from 'node:crypto'

import { openLine, type Line, type ListenOptions } from '../db/listen.ts'

const CHANNEL = 'notif_inbox'

/** Bytes of one message; Postgres refuses 8,000. */
const SIZE = 7_900
/** Milliseconds between two flushes while there is much to tell. */
const PACE = 25

export interface Hint {
  readonly envId: string
  readonly userId: string
  /** Of the inbox; undefined: it is about the preferences. */
  readonly version: number | undefined
}

/**
 * JSON texts: the node that tells, then its hints as [environment, user, version], the last one absent for preferences. Each fits into one message; a hint
 * that alone does not is left out.
 */
export function packHints(node: string, hints: Iterable<Hint>): string[] {
  const messages: string[] = []
  const opening = `[${JSON.stringify(node)}`
  let message = opening
  let size = opening.length
  for (const { envId, userId, version } of hints) {
    const text = `,${JSON.stringify(version === undefined ? [envId, userId] : [envId, userId, version])}`
    const bytes = Buffer.byteLength(text)
    if (size + bytes + 1 > SIZE) {
      if (message !== opening) messages.push(`${message}]`)
      message = opening
      size = opening.length
      if (size + bytes + 1 > SIZE) continue
    }
    message += text
    size += bytes
  }
  if (message !== opening) messages.push(`${message}]`)
  return messages
}

/** What another node told; nothing for one's own echo and for what is no such message. */
export function unpackHints(node: string, message: string): Hint[] {
  let parts: unknown
  try {
    parts = JSON.parse(message)
  } catch {
    return []
  }
  if (!Array.isArray(parts) || parts[0] === node) return []
  return parts.slice(1).flatMap((part: unknown) => {
    if (!Array.isArray(part)) return []
    const [envId, userId, version] = part as unknown[]
    return typeof envId === 'string' &&
      typeof userId === 'string' &&
      (part.length === 2 || typeof version === 'number')
      ? [{ envId, userId, version: version as number | undefined }]
      : []
  })
}

export interface HintsOptions extends Omit<ListenOptions, 'channel' | 'heard'> {
  readonly heard: (hint: Hint) => void
}

export class Hints {
  readonly #node = randomBytes(6).toString('base64url')
  readonly #line: Line
  #waiting = new Map<string, Hint>()
  #timer: NodeJS.Timeout | undefined
  #toldAt = 0

  constructor({ heard, ...options }: HintsOptions) {
    this.#line = openLine({
      ...options,
      channel: CHANNEL,
      heard: message => {
        for (const hint of unpackHints(this.#node, message)) heard(hint)
      }
    })
  }

  /** At once while there is little to tell, else with what comes in the next milliseconds. */
  tell(hints: readonly Hint[]): void {
    for (const hint of hints) {
      const { envId, userId, version = 0 } = hint
      const name = [hint.version === undefined ? 'preferences' : 'inbox', envId, userId].join('\0')
      const known = this.#waiting.get(name)
      if (!known || known.version! < version) this.#waiting.set(name, hint)
    }
    if (this.#timer || this.#waiting.size === 0) return
    const wait = this.#toldAt + PACE - performance.now()
    if (wait <= 0) this.#flush()
    else this.#timer = setTimeout(() => this.#flush(), wait)
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer)
    this.#flush()
    await this.#line.close()
  }

  #flush(): void {
    this.#timer = undefined
    this.#toldAt = performance.now()
    const hints = this.#waiting
    this.#waiting = new Map()
    for (const message of packHints(this.#node, hints.values())) this.#line.notify(message)
  }
}
