// What stands in place of the preferences: they are on their way, there are none, or they did not come.

import { html, type TemplateResult } from 'lit/html.js'

import type { Messages } from '../messages/en.ts'
import { emptyState, retryButton } from '../view/empty-state.ts'
import { BELL_ART, TRAY_ART } from '../view/icons.ts'
import type { PreferenceCenter } from './preference-center.ts'

const skeletonRow = html`<div class="type skeleton-row">
  <span class="placeholder"></span><span class="placeholder"></span>
</div>`

/** Types in their final measures, breathing. */
export const preferenceBones = ({ loading }: Messages): TemplateResult =>
  html`<div aria-hidden="true">${[skeletonRow, skeletonRow, skeletonRow, skeletonRow]}</div>
    <span class="sr">${loading}</span>`

/** Returns what the user can do about a failed request. */
const failureText = (error: unknown, { errorText, refusedText }: Messages): string =>
  [401, 403].includes((Object(error) as { status?: number }).status!) ? refusedText : errorText

export const preferencesEmpty = ({ words }: PreferenceCenter): TemplateResult =>
  html`<slot name="empty"
    >${emptyState(BELL_ART, words.preferencesEmptyTitle, words.preferencesEmptyText)}</slot
  >`

export function preferencesFailed(center: PreferenceCenter, error: unknown): TemplateResult {
  const { words } = center
  const again = retryButton(words, () => center.retry())
  return html`<slot name="error"
    >${emptyState(TRAY_ART, words.preferencesErrorTitle, failureText(error, words), again)}</slot
  >`
}
