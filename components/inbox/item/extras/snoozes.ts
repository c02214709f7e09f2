// Says when a notification was snoozed that has come back, and when one comes back that is snoozed.

import { html, type TemplateResult } from 'lit/html.js'

import { toLanguageTag } from '../../../core/locale.ts'
import type { Notif } from '../../../protocol/index.ts'
import { CLOCK, icon } from '../../../view/icons.ts'
import { startOfDay } from '../../base/formats.ts'
import type { ItemView } from '../../base/inbox-view.ts'
import { formatUntil } from '../../base/snooze-times.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** "5 minutes ago" of today, "yesterday", "3 days ago", in the language. */
function formatAgo(then: number, now: number, lang: string): string {
  const format = new Intl.RelativeTimeFormat(lang, { numeric: 'auto' })
  const age = now - then
  // Days with a change of the clock have 23 or 25 hours.
  const days = Math.round((startOfDay(now).getTime() - startOfDay(then).getTime()) / DAY)
  if (days > 0) return format.format(-days, 'day')
  if (age >= HOUR) return format.format(-Math.floor(age / HOUR), 'hour')
  return format.format(-Math.max(1, Math.floor(age / MINUTE)), 'minute')
}

/** @param id - of the element, for the description of the row */
export function renderCameBack(
  { host, messages, now }: ItemView,
  { archived, snoozedAt, snoozedUntil }: Notif,
  id: string
): TemplateResult | undefined {
  if (!snoozedAt || snoozedUntil || archived) return undefined
  const when = formatAgo(Date.parse(snoozedAt), now, toLanguageTag(host.language.messagesLang))
  return html`<span class="came-back" part="came-back" id=${id}
    >${icon(CLOCK, 'small')}<span>${messages.cameBack(when)}</span></span
  >`
}

/** "17:00" of today, "Tue 08:00", with a clock. */
export function renderWakeTime(
  { host, now }: ItemView,
  { archived, snoozedUntil }: Notif
): TemplateResult | undefined {
  if (!snoozedUntil || archived) return undefined
  const lang = toLanguageTag(host.language.lang)
  return html`<span class="wake-time"
    >${icon(CLOCK, 'small')}${formatUntil(new Date(snoozedUntil), now, lang)}</span
  >`
}
