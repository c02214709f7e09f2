// Converts notifications to the format of legacy clients.

import type { Notif, TextRun } from '#protocol'

import { escapeHtml, escapeMarkup } from '../core/escape-html.ts'
import type { ItemPage } from './read-inbox.sql.ts'

const escapeLiquid = (html: string): string => html.replaceAll(/\{(?=[{%])/g, '&#123;')

/**
 * Legacy clients render a title as Liquid and insert the result as HTML, so both are escaped. Nothing else is escaped, because
 * mobile clients show titles as plain text.
 */
const titleHtml = ({ title, titleRuns }: Notif): string =>
  escapeLiquid(titleRuns ? titleRuns.map(runHtml).join('') : escapeMarkup(title))

const STYLE_TAGS = { bold: 'b', code: 'code', italic: 'i', strike: 's', underline: 'u' } as const

function runHtml(run: TextRun): string {
  if (run.break) return '<br>'
  let html = escapeMarkup(run.text)
  for (const [style, tag] of Object.entries(STYLE_TAGS)) {
    if (run[style as keyof typeof STYLE_TAGS]) html = `<${tag}>${html}</${tag}>`
  }
  return run.href === undefined ? html : `<a href="${escapeHtml(run.href)}" rel="noopener">${html}</a>`
}

const escapeUrl = (url: string): string => url.replaceAll(/\{(?=[{%])/g, '%7B')

export function toLegacyNotification(notif: Notif) {
  const { id, type, subNotificationId, redirectURL, imageURL, date, expDate, parameters, replies } = notif
  const { seen, opened, clicked, archived, actioned1, actioned2 } = notif
  return {
    id,
    notificationId: type,
    ...(subNotificationId !== undefined && { subNotificationId }),
    seen: seen !== undefined || opened !== undefined,
    title: titleHtml(notif),
    ...(redirectURL !== undefined && { redirectURL: escapeUrl(redirectURL) }),
    ...(imageURL !== undefined && { imageURL: escapeUrl(imageURL) }),
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

export const toLegacyPage = ({ items, next }: ItemPage) => ({
  couldLoadMore: next !== undefined,
  hasMore: next !== undefined,
  notifications: items.map(toLegacyNotification),
  ...(items.length > 0 && { oldestReceived: items.at(-1)!.date })
})
