// The sandbox of a running server, for tests of a back-end: they send, and wait for what would have been delivered.

import { openAsk } from '../client/call.ts'
import type { ClientSettings } from '../client/client.ts'
import { basic, path } from '../client/encode.ts'
import type { Channel, Instant } from '../client/names.ts'
import { baseOf, openLine } from '../client/options.ts'

/** A message as its provider would have got it; what else is in it depends on the channel. */
export interface KeptMessage {
  readonly id: string
  readonly trackingId: string
  /** Id of the notification type. */
  readonly type: string
  readonly channel: Channel
  readonly userId: string
  readonly date: Instant
  /** Address, number or token. */
  readonly to?: string
  /** Of a mail; the title of a push. */
  readonly subject?: string
  readonly text?: string
  readonly html?: string
  readonly [field: string]: unknown
}

/** What must hold of a message; what is absent may be anything. */
export interface SandboxWish {
  /** Id of the user. */
  readonly user?: string
  /** In-app notifications are in the inbox of their user: `client.listInApp(user)`. */
  readonly channel?: Exclude<Channel, 'INAPP_WEB'>
  readonly type?: string
  readonly trackingId?: string
}

export interface Sandbox {
  /** What is there, newest first. `count`: most of them, 1 to 200. Default 50. */
  messages(wish?: Omit<SandboxWish, 'type'>, count?: number): Promise<readonly KeptMessage[]>
  /**
   * The oldest message that fits and that no wait of this sandbox has given before: two waits for one user give two
   * messages.
   *
   * @param wish - and `timeout`: milliseconds, default 10,000
   * @throws Error that says what did arrive, when the time is over
   */
  waitFor(wish: SandboxWish & { readonly timeout?: number }): Promise<KeptMessage>
}

/** Milliseconds between two looks: the first, and the longest. */
const SOON = 25
const LATE = 400
/** Most that the server gives at once. */
const PAGE = 200
/** Messages that an error names. */
const NAMED = 20

/**
 * Needs fetch and nothing else of its runtime.
 *
 * @param settings - those of `createClient`: address, client id and secret
 */
export function openSandbox(settings: ClientSettings): Sandbox {
  const { baseURL, clientId, clientSecret } = settings
  const ask = openAsk(openLine(basic(clientId, clientSecret), baseOf(baseURL) + path(clientId), settings))
  const given = new Set<string>()

  const messages: Sandbox['messages'] = async (wish = {}, count = 50) => {
    const { channel, trackingId, user } = wish
    const query = { channel, count, trackingId, user }
    const { messages } = await ask<{ messages: readonly KeptMessage[] }>({
      method: 'GET',
      path: ['sandbox', 'messages'],
      query
    })
    return messages
  }

  return {
    messages,
    async waitFor({ timeout = 10_000, type, ...wish }) {
      const end = Date.now() + timeout
      for (let pause = SOON; ; pause = Math.min(LATE, pause * 2)) {
        const found = await messages(wish, PAGE)
        const first = found.findLast(one => !given.has(one.id) && (type === undefined || one.type === type))
        if (first) {
          given.add(first.id)
          return first
        }
        const left = end - Date.now()
        if (left <= 0) break
        await new Promise(resolve => setTimeout(resolve, Math.min(pause, left)))
      }
      const wanted = sayWish({ ...wish, ...(type !== undefined && { type }) })
      const there = await messages({}, NAMED)
      throw new Error(`No ${wanted} came within ${timeout} ms. ${sayArrived(there, given)}`)
    }
  }
}

const sayWish = ({ channel, trackingId, type, user }: SandboxWish): string =>
  [
    channel ?? 'message',
    ...(type === undefined ? [] : [`of type ${type}`]),
    ...(user === undefined ? [] : [`for ${user}`]),
    ...(trackingId === undefined ? [] : [`of ${trackingId}`])
  ].join(' ')

/** @param given - ids of those that a wait has given already */
function sayArrived(there: readonly KeptMessage[], given: ReadonlySet<string>): string {
  if (there.length === 0) return 'The sandbox is empty.'
  const lines = there.map(({ channel, date, id, trackingId, type, userId }) => {
    const taken = given.has(id) ? ' (given by a wait before)' : ''
    return `  ${date} ${channel} of type ${type} for ${userId}, ${trackingId}${taken}`
  })
  return `The newest in the sandbox:\n${lines.join('\n')}`
}
