// The line above the list while notifications are paused. Loaded when they are.

import { html, nothing, type TemplateResult } from 'lit/html.js'

import { PAUSED_BELL_PATH } from '../../core/bell-path.ts'
import { addEnglish, toLanguageTag } from '../../core/locale.ts'
import { pauseMessages } from '../../messages/pause.en.ts'
import { snoozeMessages } from '../../messages/snooze.en.ts'
import { icon } from '../../view/icons.ts'
import { adoptStyles } from '../../view/render.ts'
import type { InboxView } from '../base/inbox-view.ts'
import { describeUntil } from '../base/snooze-times.ts'
import { styles } from './notes.styles.ts'

function renderPaused({ host, messages, now, store }: InboxView, end: () => void): TemplateResult {
  const until = store?.$pause.get()?.until
  const lang = toLanguageTag(host.language.messagesLang)
  const title = until
    ? messages.pausedUntil(describeUntil(new Date(until), now, lang, messages.dayAndTime))
    : messages.paused
  return html`<div class="note paused" part="paused">
    ${icon(PAUSED_BELL_PATH, 'small')}<span><b>${title}</b> ${messages.pausedInbox}</span>
    <button @click=${end}>${messages.pauseEnd}</button>
  </div>`
}

/** @returns what renders the line */
export function createPausedNote(inbox: InboxView): () => unknown {
  const { host } = inbox
  addEnglish(pauseMessages)
  addEnglish(snoozeMessages)
  adoptStyles(host, styles)
  const end = (): void => {
    // The button with the focus is removed.
    host.renderRoot.querySelector<HTMLElement>('.heading')?.focus()
    inbox.reportRefusal(inbox.store?.updateSettings({ pause: { isOn: false } }))
  }
  return () => (inbox.store?.$pause.get()?.isOn ? renderPaused(inbox, end) : nothing)
}
