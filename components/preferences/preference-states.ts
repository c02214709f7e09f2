// What stands in place of the preferences: they are on their way, there are none, or they did not come.

import { html, type TemplateResult } from 'lit/html.js'

import type { Messages } from '../messages/en.ts'
import { blank, retryButton } from '../view/empty-state.ts'
import { BELL_ART, TRAY_ART } from '../view/icons.ts'
import type { PreferenceCenter } from './preference-center.ts'

const bone = html`<div class="type bones"><span class="bone"></span><span class="bone"></span></div>`

/** Types in their final measures, breathing. */
export const preferenceBones = ({ loading }: Messages): TemplateResult =>
  html`<div aria-hidden="true">${[bone, bone, bone, bone]}</div>
    <span class="sr">${loading}</span>`

/** What a server said when it refused is worth reading; that it could not be reached has better words here. */
const reasonOf = (error: unknown, { errorText }: Messages): string => {
  const { message, status } = Object(error) as { message?: string; status?: number }
  return status && status < 500 && message ? message : errorText
}

export const preferencesEmpty = ({ words }: PreferenceCenter): TemplateResult =>
  html`<slot name="empty">${blank(BELL_ART, words.preferencesEmptyTitle, words.preferencesEmptyText)}</slot>`

export function preferencesFailed(center: PreferenceCenter, error: unknown): TemplateResult {
  const { words } = center
  const again = retryButton(words, () => center.retry())
  return html`<slot name="error"
    >${blank(TRAY_ART, words.preferencesErrorTitle, reasonOf(error, words), again)}</slot
  >`
}
