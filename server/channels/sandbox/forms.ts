// What a kept message has to show: its texts, its forms, and by which way it would have gone.

import type { SandboxMessage } from './sandbox.sql.ts'

export const VIEWS = ['html', 'text', 'headers', 'raw'] as const
export type View = (typeof VIEWS)[number]

export const string = (message: SandboxMessage, key: string): string => {
  const value = message.message[key]
  return typeof value === 'string' ? value : ''
}

interface Address {
  readonly name: string
  readonly address: string
}

/** A push has no sender. */
export const from = (sender: unknown): string => {
  const { name, address = '' } = Object(sender) as Partial<Address>
  return name ? `${name} <${address}>` : address
}

/** Channels other than e-mail are named; most messages are mails. */
export const wayOf = (message: SandboxMessage): string =>
  [
    message.channel === 'EMAIL' ? '' : message.channel.replace('_', ' ').toLowerCase(),
    string(message, 'provider')
  ]
    .filter(part => part !== '')
    .join(', ')

/** Forms that this message has. */
export const viewsOf = (message: SandboxMessage): readonly View[] => {
  const has: Readonly<Record<View, boolean>> = {
    headers: Array.isArray(message.message['headers']) && message.message['headers'].length > 0,
    html: string(message, 'html') !== '',
    raw: string(message, 'raw') !== '',
    text: true
  }
  return VIEWS.filter(view => has[view])
}
