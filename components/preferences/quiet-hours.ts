// The quiet hours: a switch, the hours as a bar and as fields, days of the week, and whether urgent types pass.

import { live } from 'lit/directives/live.js'
import { html, nothing, svg, type TemplateResult } from 'lit/html.js'

import { toLanguageTag } from '../core/locale.ts'
import type { QuietHours } from '../protocol/index.ts'
import type { PreferencesController } from './controller.ts'

const HOURS_PER_DAY = 24

/** @returns hours since midnight */
function toHours(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return hours + minutes / 60
}

/** The quiet parts of a day from midnight to midnight, in hours. */
export function quietParts({
  from,
  to
}: Pick<QuietHours, 'from' | 'to'>): (readonly [from: number, to: number])[] {
  const [start, end] = [toHours(from), toHours(to)]
  const parts = start < end ? [[start, end] as const] : [[0, end] as const, [start, HOURS_PER_DAY] as const]
  return parts.filter(([begin, until]) => begin < until)
}

/** A drawing instead of styles: a strict policy refuses styles in attributes. */
const renderBar = (quiet: QuietHours, dir: string): TemplateResult =>
  html`<svg class="day-bar" viewBox="0 0 24 1" preserveAspectRatio="none" aria-hidden="true">
    <rect class="day" width="24" height="1" />
    ${quietParts(quiet).map(([from, to]) => svg`<rect x=${dir === 'rtl' ? HOURS_PER_DAY - to : from} width=${to - from} height="1" />`)}
  </svg>`

/** Names of the days, the first of the week first. 1 is Monday. */
function weekdays(lang: string): { readonly day: number; readonly short: string; readonly long: string }[] {
  const locale = new Intl.Locale(lang) as Intl.Locale & { getWeekInfo?: () => { readonly firstDay: number } }
  const first = locale.getWeekInfo?.().firstDay ?? 1
  const format = (day: number, weekday: 'long' | 'narrow'): string =>
    // 2024-01-01 was a Monday.
    new Intl.DateTimeFormat(lang, { timeZone: 'UTC', weekday }).format(Date.UTC(2024, 0, day))
  return Array.from({ length: 7 }, (_, i) => ((first - 1 + i) % 7) + 1).map(day => ({
    day,
    long: format(day, 'long'),
    short: format(day, 'narrow')
  }))
}

/** "Amsterdam": the last part of the name of a zone. */
const cityOf = (zone: string): string => zone.split('/').at(-1)!.replaceAll('_', ' ')

function formatNow(zone: string, now: number, lang: string): string | undefined {
  try {
    return new Intl.DateTimeFormat(lang, { hour: 'numeric', minute: '2-digit', timeZone: zone }).format(now)
  } catch {
    // A browser may know fewer zones than the server.
    return undefined
  }
}

const onSwitch =
  (onChange: (isOn: boolean) => void) =>
  ({ target }: Event): void =>
    onChange((target as HTMLInputElement).checked)

const renderSwitch = (name: string, isOn: boolean, onChange: (isOn: boolean) => void): TemplateResult =>
  html`<span class="switch" part="switch"
    ><input
      type="checkbox"
      role="switch"
      aria-label=${name}
      .checked=${live(isOn)}
      @change=${onSwitch(onChange)}
  /></span>`

/** @param urgentTitles - titles of the types that are urgent */
export function renderQuietHours(
  controller: PreferencesController,
  quiet: QuietHours | undefined,
  urgentTitles: readonly string[]
): TemplateResult | typeof nothing {
  if (!quiet) return nothing
  const { host, messages, now } = controller
  const lang = toLanguageTag(host.language.lang)
  const { days, from, on, to, urgentPasses, zone } = quiet
  const set = (change: Partial<Omit<QuietHours, 'zone'>>): void => void controller.set({ quiet: change })
  const onTime = (name: 'from' | 'to') => (event: Event) => {
    const time = (event.target as HTMLInputElement).value
    if (time) set({ [name]: time })
  }
  const onDay = (day: number) => (event: Event) => {
    const others = days.filter(other => other !== day)
    set({ days: (event.target as HTMLInputElement).checked ? [...others, day].sort() : others })
  }
  const timeField = (text: string, name: 'from' | 'to', value: string): TemplateResult =>
    html`<label class="time-field"
      ><span>${text}</span><input type="time" .value=${live(value)} @change=${onTime(name)}
    /></label>`
  const dayBox = ({ day, long, short }: ReturnType<typeof weekdays>[number]): TemplateResult =>
    html`<label class="day-box"
      ><input
        type="checkbox"
        aria-label=${long}
        .checked=${live(days.includes(day))}
        @change=${onDay(day)}
      /><span aria-hidden="true">${short}</span></label
    >`
  const time = formatNow(zone, now, lang)
  const details = html`${renderBar(quiet, getComputedStyle(host).direction)}
    <div class="day-hours" aria-hidden="true">
      ${[0, 6, 12, 18, 24].map(hour => html`<span>${hour}</span>`)}
    </div>
    <div class="quiet-fields">
      ${timeField(messages.quietFrom, 'from', from)}
      ${timeField(from < to ? messages.quietTo : messages.quietToNextDay, 'to', to)}
      <div class="days" role="group" aria-label=${messages.quietDays}>${weekdays(lang).map(dayBox)}</div>
    </div>
    <div class="quiet-line">
      <span
        >${messages.quietUrgent}${urgentTitles.length > 0 ? html`<small> · ${urgentTitles.join(', ')}</small>` : nothing}</span
      >${renderSwitch(messages.quietUrgent, urgentPasses, isOn => set({ urgentPasses: isOn }))}
    </div>
    ${time ? html`<p class="type-text">${messages.quietZone(cityOf(zone), time)}</p>` : nothing}`
  return html`<div class="quiet" part="quiet-hours" role="group" aria-label=${messages.quietTitle}>
    <div class="quiet-line">
      <div>
        <div class="type-name">${messages.quietTitle}</div>
        <p class="type-text">${messages.quietText}</p>
      </div>
      ${renderSwitch(messages.quietTitle, on, isOn => set({ on: isOn }))}
    </div>
    ${on ? details : nothing}
  </div>`
}
