// The pause: a button with three lengths, and a line while it is on.

import { ref } from 'lit/directives/ref.js'
import { html, nothing, type TemplateResult } from 'lit/html.js'

import { PAUSED_BELL_PATH } from '../core/bell-path.ts'
import { toLanguageTag } from '../core/locale.ts'
import type { Pause } from '../protocol/index.ts'
import { icon } from '../view/icons.ts'
import { CHEVRON } from './cell.ts'
import type { PreferencesController } from './controller.ts'

const HOUR_MS = 3_600_000
/** When people begin their day. */
const MORNING_HOUR = 8

/** A time of today, otherwise also the day of the week. Null for an instant that cannot be read. */
function formatUntil(until: Date, now: number, lang: string): string {
  const isToday = until.toDateString() === new Date(now).toDateString()
  const time = { hour: '2-digit', minute: '2-digit' } as const
  return new Intl.DateTimeFormat(lang, isToday ? time : { weekday: 'short', ...time }).format(until)
}

function tomorrowMorning(now: number): Date {
  const date = new Date(now)
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() + 1, MORNING_HOUR)
}

/** A disclosure: the buttons are in the order of the page, and need no keys of their own. */
export function renderPauseButton(controller: PreferencesController): TemplateResult | typeof nothing {
  const { host, messages, now, state } = controller
  const pause = state?.state === 'ready' ? state.pause : undefined
  if (!pause || pause.isOn) return nothing
  const lang = toLanguageTag(host.language.lang)
  const hour = new Date(now + HOUR_MS)
  const tomorrow = tomorrowMorning(now)
  const lengths: readonly (readonly [text: string, until: Date | null])[] = [
    [messages.pauseHour(formatUntil(hour, now, lang)), hour],
    [messages.pauseTomorrow(formatUntil(tomorrow, now, lang)), tomorrow],
    [messages.pauseOpen, null]
  ]
  const start = (until: Date | null) => (event: Event) => {
    const details = (event.target as Element).closest('details')!
    details.open = false
    controller.movesFocus = true
    void controller.set({ pause: { isOn: true, until: until && until.toISOString() } })
  }
  const onKey = (event: KeyboardEvent): void => {
    const details = event.currentTarget as HTMLDetailsElement
    if (event.key !== 'Escape' || !details.open) return
    // Not also the dialog around it.
    event.stopPropagation()
    event.preventDefault()
    details.open = false
    details.querySelector('summary')!.focus()
  }
  const onFocusOut = ({ currentTarget, relatedTarget }: FocusEvent): void => {
    const details = currentTarget as HTMLDetailsElement
    if (relatedTarget && !details.contains(relatedTarget as Node)) details.open = false
  }
  return html`<details class="pause" part="pause" @keydown=${onKey} @focusout=${onFocusOut}>
    <summary class="btn" ${ref(controller.takeFocus)}>
      ${icon(PAUSED_BELL_PATH)}${messages.pauseButton}${icon(CHEVRON, 'small')}
    </summary>
    <div class="pause-list" role="group" aria-label=${messages.pauseButton}>
      ${lengths.map(([text, until]) => html`<button @click=${start(until)}>${text}</button>`)}
    </div>
  </details>`
}

/** The line while notifications are paused. */
export function renderPaused(
  controller: PreferencesController,
  pause: Pause | undefined
): TemplateResult | typeof nothing {
  const { host, messages, now } = controller
  if (!pause?.isOn) return nothing
  const title = pause.until
    ? messages.pausedUntil(formatUntil(new Date(pause.until), now, toLanguageTag(host.language.lang)))
    : messages.paused
  const end = (): void => {
    controller.movesFocus = true
    void controller.set({ pause: { isOn: false } })
  }
  return html`<div class="paused" part="pause">
    ${icon(PAUSED_BELL_PATH)}
    <p><b>${title}</b> ${messages.pausedText}</p>
    <button class="btn pause-end" @click=${end} ${ref(controller.takeFocus)}>${messages.pauseEnd}</button>
  </div>`
}
