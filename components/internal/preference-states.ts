// What stands in place of the preferences: they are on their way, there are none, or they did not come.

import { html, nothing, type TemplateResult } from 'lit/html.js'

import type { Messages } from '../messages/en.ts'
import { art, BELL_ART, icon, RETRY, TRAY_ART } from './icons.ts'
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

export function preferenceBlank(center: PreferenceCenter, error?: unknown): TemplateResult {
  const { words } = center
  const failed = error !== undefined
  const again = failed
    ? html`<button type="button" class="btn" @click=${() => center.retry()}>
        ${icon(RETRY)}${words.retry}
      </button>`
    : nothing
  return html`<slot name=${failed ? 'error' : 'empty'}
    ><div class="blank" part="blank">
      ${art(failed ? TRAY_ART : BELL_ART)}
      <p class="blank-title">${failed ? words.preferencesErrorTitle : words.preferencesEmptyTitle}</p>
      <p>${failed ? reasonOf(error, words) : words.preferencesEmptyText}</p>
      ${again}
    </div></slot
  >`
}
