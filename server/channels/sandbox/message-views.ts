// The views that the sandbox page has of a stored message, and the texts that it shows.

import type { SandboxMessage } from './sandbox.sql.ts'

export const VIEWS = ['html', 'text', 'headers', 'raw'] as const
export type View = (typeof VIEWS)[number]

export const readText = (message: SandboxMessage, key: string): string => {
  const value = message.message[key]
  return typeof value === 'string' ? value : ''
}

export const readTexts = (message: SandboxMessage, key: string): readonly string[] => {
  const value = message.message[key]
  return Array.isArray(value) ? value.filter(text => typeof text === 'string') : []
}

/** @param mailbox - undefined for a push, which has no sender */
export const formatMailbox = (mailbox: unknown): string => {
  const { name, address = '' } = Object(mailbox) as Partial<Record<'name' | 'address', string>>
  return name ? `${name} <${address}>` : address
}

/** Returns the channel and its provider, or `''` for an email. */
export const describeChannel = (message: SandboxMessage): string =>
  [
    message.channel === 'EMAIL' ? '' : message.channel.replace('_', ' ').toLowerCase(),
    readText(message, 'provider')
  ]
    .filter(text => text !== '')
    .join(', ')

export const listViews = (message: SandboxMessage): readonly View[] => {
  const { headers } = message.message
  const hasView: Readonly<Record<View, boolean>> = {
    headers: Array.isArray(headers) && headers.length > 0,
    html: readText(message, 'html') !== '',
    raw: readText(message, 'raw') !== '',
    text: true
  }
  return VIEWS.filter(view => hasView[view])
}
