// How the log writes the address of a message, and hides it from callers who may read the log, but no addresses. Pure.

import type { ChannelExplanation, LogRecord } from '../client/logs.ts'

/** Characters of a device token that the log keeps at its beginning and its end: enough to tell two devices apart. */
const TOKEN_HEAD = 8
const TOKEN_TAIL = 4

/** A caller with a whole device token can send to the device. The host of a web push says which browser it is. */
function shortenToken(token: string): string {
  const head = URL.parse(token)?.host ?? token.slice(0, TOKEN_HEAD)
  return token.length <= head.length + TOKEN_TAIL + 1 ? token : `${head}…${token.slice(-TOKEN_TAIL)}`
}

/** @param channel - of the log (`toChannel`) */
export const toLoggedAddress = (channel: string, to: string): string =>
  channel === 'PUSH' || channel === 'WEB_PUSH' ? shortenToken(to) : to

/** Keeps the first character and the domain of an email address, and the last two digits of a number. */
export function maskAddress(address: string): string {
  const at = address.lastIndexOf('@')
  if (at > 0) return `${address.slice(0, 1)}…${address.slice(at)}`
  return address.startsWith('+') ? `+…${address.slice(-2)}` : '…'
}

export const maskChannel = (channel: ChannelExplanation): ChannelExplanation => ({
  ...channel,
  deliveries: channel.deliveries.map(delivery =>
    delivery.to === undefined ? delivery : Object.assign({}, delivery, { to: maskAddress(delivery.to) })
  )
})

const ADDRESS_FIELDS: ReadonlySet<string> = new Set(['email', 'number', 'user_email', 'user_number'])

/** Masks the texts with these names at any depth. */
export function maskFields(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(maskFields)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      ADDRESS_FIELDS.has(name) && typeof member === 'string' ? maskAddress(member) : maskFields(member)
    ])
  )
}

/** Masks every address of a record, also those of the request. For callers without the right to read addresses. */
export function maskLogRecord(record: LogRecord): LogRecord {
  const { channels, request, ...rest } = record
  const recipient = JSON.parse(request) as { readonly to?: unknown }
  return {
    ...(maskFields(rest) as typeof rest),
    channels: channels.map(maskChannel),
    request: JSON.stringify({ ...recipient, to: maskFields(recipient.to) })
  } as LogRecord
}
