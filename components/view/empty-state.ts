// What stands in place of a list: a drawing, what is so, and perhaps a way out.

import { html, nothing, type TemplateResult } from 'lit/html.js'

import type { Messages } from '../messages/en.ts'
import { art, icon, RETRY, type Art } from './icons.ts'

export const emptyState = (
  drawing: Art,
  title: string,
  text: string,
  button: TemplateResult | typeof nothing = nothing
): TemplateResult =>
  html`<div class="empty-state" part="empty-state">
    ${art(drawing)}
    <p class="empty-state-title">${title}</p>
    <p>${text}</p>
    ${button}
  </div>`

export const retryButton = ({ retry }: Messages, run: () => void): TemplateResult =>
  html`<button class="btn" @click=${run}>${icon(RETRY)}${retry}</button>`
