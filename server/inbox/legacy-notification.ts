// Notifications in the shape of existing clients (spec/wire.md 4.1, 7.2).

import type { Notif } from '#protocol'

import { escapeMarkup } from '../core/escape-html.ts'
import type { Page } from './read-inbox.sql.ts'

export interface VendorNotification {
  readonly id: string
  readonly notificationId: string
  readonly subNotificationId?: string
  readonly seen: boolean
  /** HTML. */
  readonly title: string
  readonly redirectURL?: string
  readonly imageURL?: string
  readonly date: string
  /** Seconds. */
  readonly expDate?: number
  readonly parameters?: Readonly<Record<string, unknown>>
  readonly opened?: string
  readonly clicked?: string
  readonly archived?: string
  readonly actioned1?: string
  readonly actioned2?: string
  readonly replies?: Notif['replies']
}

/**
 * These clients render a title as Liquid and put the result into the page as HTML, so text is written such that both
 * give the text back. What needs no escape gets none: clients of phones show titles as they come.
 */
const titleOf = (text: string): string => escapeMarkup(text).replaceAll(/\{(?=[{%])/g, '&#123;')

const addressOf = (url: string): string => url.replaceAll(/\{(?=[{%])/g, '%7B')

export function toVendor(notif: Notif): VendorNotification {
  const { id, type, subNotificationId, title, redirectURL, imageURL, date, expDate, parameters, replies } =
    notif
  const { opened, clicked, archived, actioned1, actioned2 } = notif
  return {
    id,
    notificationId: type,
    ...(subNotificationId !== undefined && { subNotificationId }),
    // These clients count as unopened what lacks either.
    seen: opened !== undefined,
    title: titleOf(title),
    ...(redirectURL !== undefined && { redirectURL: addressOf(redirectURL) }),
    ...(imageURL !== undefined && { imageURL: addressOf(imageURL) }),
    date,
    ...(expDate !== undefined && { expDate }),
    ...(parameters !== undefined && { parameters }),
    ...(opened !== undefined && { opened }),
    ...(clicked !== undefined && { clicked }),
    ...(archived !== undefined && { archived }),
    ...(actioned1 !== undefined && { actioned1 }),
    ...(actioned2 !== undefined && { actioned2 }),
    ...(replies !== undefined && { replies })
  }
}

export const toVendorList = ({ items, next }: Page) => ({
  couldLoadMore: next !== undefined,
  hasMore: next !== undefined,
  notifications: items.map(toVendor),
  ...(items.length > 0 && { oldestReceived: items.at(-1)!.date })
})
