// The fields for the day and time at which a notification comes back.

import { html, type TemplateResult } from 'lit/html.js'

import { toLanguageTag } from '../../core/locale.ts'
import type { Notif } from '../../protocol/index.ts'
import { adoptStyles } from '../../view/render.ts'
import type { InboxView } from '../base/inbox-view.ts'
import { formatUntil, parsePicked, toDayValue, toTimeValue } from '../base/snooze-times.ts'
import { findRowOpener } from './find-opener.ts'
import { openPopover, returnFocus } from './open-menu.ts'
import { picker as styles } from './picker.styles.ts'

/** The server refuses longer ones. */
const MAX_SNOOZE_DAYS = 366
const FIRST_HOUR = 9

/** @param onPick - called with a time in the future */
export async function openPicker(
  inbox: InboxView,
  item: Notif,
  onPick: (until: Date) => void
): Promise<void> {
  adoptStyles(inbox.host, styles)
  const start = new Date(inbox.now)
  start.setDate(start.getDate() + 1)
  start.setHours(FIRST_HOUR, 0, 0, 0)
  let day = toDayValue(start)
  let time = toTimeValue(start)
  const opener = (): HTMLElement | null => findRowOpener(inbox, item, 'snooze')
  const onInput = ({ target }: Event): void => {
    const { type, value } = target as HTMLInputElement
    if (type === 'date') day = value
    else time = value
    inbox.host.requestUpdate()
  }
  const onSubmit = (event: Event): void => {
    event.preventDefault()
    const until = parsePicked(day, time, inbox.now, MAX_SNOOZE_DAYS)
    const element = event.currentTarget as HTMLElement
    if (!until) return element.querySelector('input')!.focus()
    element.closest<HTMLElement>('.menu')!.hidePopover()
    onPick(until)
  }
  // Keys of the list below do not hear of it.
  const onKeydown = (event: Event): void => {
    if ((event as KeyboardEvent).key !== 'Escape') event.stopPropagation()
  }
  const onBeforeToggle = (event: Event): void => returnFocus(event as ToggleEvent, opener())
  const render = (): TemplateResult => {
    const { host, messages, now } = inbox
    const until = parsePicked(day, time, now, MAX_SNOOZE_DAYS)
    const text = until
      ? messages.snoozeUntilTime(formatUntil(until, now, toLanguageTag(host.language.messagesLang)))
      : messages.snooze
    const last = new Date(now + MAX_SNOOZE_DAYS * 86_400_000)
    return html`<div
      class="menu picker"
      part="menu"
      popover
      role="dialog"
      aria-label=${messages.pickTime}
      @keydown=${onKeydown}
      @beforetoggle=${onBeforeToggle}
    >
      <div class="menu-heading">${messages.snoozeUntil}</div>
      <form novalidate @input=${onInput} @submit=${onSubmit}>
        <label
          >${messages.pickDay}<input
            type="date"
            min=${toDayValue(new Date(now))}
            max=${toDayValue(last)}
            .value=${day}
        /></label>
        <label>${messages.pickHour}<input type="time" .value=${time} /></label>
        <button class="btn main" type="submit" aria-disabled=${until ? 'false' : 'true'}>${text}</button>
      </form>
    </div>`
  }
  const element = await openPopover(inbox, { opener, render })
  element?.querySelector('input')?.focus()
}
