// Reads the sandbox of a running server, so that tests of a back end can wait for what would have been delivered.

import { checkedBase, openCall, openRetryingFetch } from '../client/call.ts'
import type { ClientSettings } from '../client/client.ts'
import { basic, path } from '../client/encode.ts'
import type { Channel, Instant } from '../client/names.ts'

/** A message as its provider would have received it. Further fields depend on the channel. */
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
  /** Subject of an email, or title of a push message. */
  readonly subject?: string
  readonly text?: string
  readonly html?: string
  readonly [field: string]: unknown
}

/** Conditions on a message; a missing field matches every message. */
export interface SandboxWish {
  /** Id of the user. */
  readonly user?: string
  /** For in-app notifications read the inbox: `client.listInApp(user)`. */
  readonly channel?: Exclude<Channel, 'INAPP_WEB'>
  readonly type?: string
  readonly trackingId?: string
}

export interface Sandbox {
  /**
   * Lists messages, newest first.
   *
   * @param count - maximum number of messages, 1 to 200. Default: 50
   */
  messages(wish?: Omit<SandboxWish, 'type'>, count?: number): Promise<readonly KeptMessage[]>
  /**
   * Waits for a message and returns the oldest one that matches and that no earlier `waitFor` of this object returned: two
   * waits for one user return two messages.
   *
   * @param wish - conditions, and `timeout` in milliseconds. Default: 10,000
   * @throws Error after the time-out; its message lists the newest messages that arrived
   */
  waitFor(wish: SandboxWish & { readonly timeout?: number }): Promise<KeptMessage>
}

const FIRST_POLL_MS = 25
const MAX_POLL_MS = 400
const PAGE_SIZE = 200
const LISTED_COUNT = 20

/**
 * Opens the sandbox of a server. It needs `fetch` and nothing else of its runtime.
 *
 * @param settings - the settings of `createClient`: address, client id and secret
 * @throws TypeError if the address is not an http or https address
 */
export function openSandbox(settings: ClientSettings): Sandbox {
  const { baseURL, clientId, clientSecret } = settings
  const base = checkedBase(baseURL) + path(clientId)
  const call = openCall(openRetryingFetch(basic(clientId, clientSecret), base, settings))
  const returnedIds = new Set<string>()

  const messages: Sandbox['messages'] = async (wish = {}, count = 50) => {
    const { channel, trackingId, user } = wish
    const query = { channel, count, trackingId, user }
    const { messages } = await call<{ messages: readonly KeptMessage[] }>({
      method: 'GET',
      path: ['sandbox', 'messages'],
      query
    })
    return messages
  }

  return {
    messages,
    async waitFor({ timeout = 10_000, type, ...wish }) {
      const endsAt = Date.now() + timeout
      for (let pollMs = FIRST_POLL_MS; ; pollMs = Math.min(MAX_POLL_MS, pollMs * 2)) {
        const page = await messages(wish, PAGE_SIZE)
        const oldest = page.findLast(
          message => !returnedIds.has(message.id) && (type === undefined || message.type === type)
        )
        if (oldest) {
          returnedIds.add(oldest.id)
          return oldest
        }
        const leftMs = endsAt - Date.now()
        if (leftMs <= 0) break
        await new Promise(resolve => setTimeout(resolve, Math.min(pollMs, leftMs)))
      }
      const wanted = describeWish({ ...wish, ...(type !== undefined && { type }) })
      const arrived = await messages({}, LISTED_COUNT)
      throw new Error(`No ${wanted} came within ${timeout} ms. ${describeArrived(arrived, returnedIds)}`)
    }
  }
}

const describeWish = ({ channel, trackingId, type, user }: SandboxWish): string =>
  [
    channel ?? 'message',
    ...(type === undefined ? [] : [`of type ${type}`]),
    ...(user === undefined ? [] : [`for ${user}`]),
    ...(trackingId === undefined ? [] : [`of ${trackingId}`])
  ].join(' ')

function describeArrived(arrived: readonly KeptMessage[], returnedIds: ReadonlySet<string>): string {
  if (arrived.length === 0) return 'The sandbox is empty.'
  const lines = arrived.map(({ channel, date, id, trackingId, type, userId }) => {
    const note = returnedIds.has(id) ? ' (returned by an earlier wait)' : ''
    return `  ${date} ${channel} of type ${type} for ${userId}, ${trackingId}${note}`
  })
  return `The newest in the sandbox:\n${lines.join('\n')}`
}
