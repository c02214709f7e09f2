// Tells the other nodes which inboxes and preferences have changed, and which queues have rows that nobody holds any more: merged,
// after the commit, and never needed for correctness.

import { randomBytes } from 'node:crypto'

import { openLine, type Line, type ListenOptions } from '../../db/listen.ts'
import { QUEUES, type QueueName } from '../../queue/queues.ts'

const CHANNEL = 'notif_inbox'

/** Bytes of one message; Postgres refuses 8,000. */
const SIZE = 7_900
/** Milliseconds between two flushes while there is much to tell. */
const PACE = 25

export interface ChangeHint {
  readonly envId: string
  readonly userId: string
  /** Of the inbox; undefined: it is about the preferences. */
  readonly version: number | undefined
}

export interface LaneHint {
  /** Rows of it were given back, however long ago they were due. */
  readonly lane: QueueName
}

export type Hint = ChangeHint | LaneHint

/** `[environment, user, version]`, the last one absent for preferences; of a lane its name. */
function partOf(hint: Hint): string {
  if ('lane' in hint) return JSON.stringify(hint.lane)
  const { envId, userId, version } = hint
  return JSON.stringify(version === undefined ? [envId, userId] : [envId, userId, version])
}

/** JSON texts: the node that tells, then its hints. Each fits into one message, as every hint does: ids are short. */
export function packHints(node: string, hints: Iterable<Hint>): string[] {
  const messages: string[] = []
  const opening = `[${JSON.stringify(node)}`
  let message = opening
  let size = opening.length
  for (const hint of hints) {
    const text = `,${partOf(hint)}`
    const bytes = Buffer.byteLength(text)
    if (size + bytes + 1 > SIZE) {
      if (message !== opening) messages.push(`${message}]`)
      message = opening
      size = opening.length
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
  return parts.slice(1).flatMap((part: unknown): Hint[] => {
    const lane = QUEUES.find(name => name === part)
    if (lane) return [{ lane }]
    if (!Array.isArray(part)) return []
    const [envId, userId, version] = part as unknown[]
    return typeof envId === 'string' &&
      typeof userId === 'string' &&
      (part.length === 2 || typeof version === 'number')
      ? [{ envId, userId, version: version as number | undefined }]
      : []
  })
}

/** What it is about: of several hints the newest is enough. */
const nameOf = (hint: Hint): string =>
  'lane' in hint
    ? hint.lane
    : [hint.version === undefined ? 'preferences' : 'inbox', hint.envId, hint.userId].join('\0')

const isOlder = (known: Hint, hint: Hint): boolean =>
  'version' in known && 'version' in hint && (known.version ?? 0) < (hint.version ?? 0)

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
      const name = nameOf(hint)
      const known = this.#waiting.get(name)
      if (!known || isOlder(known, hint)) this.#waiting.set(name, hint)
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
