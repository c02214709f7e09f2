// What stands in place of a list: a drawing, what is so, and perhaps a way out.

import { html, nothing, type TemplateResult } from 'lit/html.js'

import type { Messages } from '../messages/en.ts'
import { icon, RETRY } from './icons.ts'

export const blank = (
  drawing: TemplateResult,
  title: string,
  text: string,
  button: TemplateResult | typeof nothing = nothing
): TemplateResult =>
  html`<div class="blank" part="blank">
    ${drawing}
    <p class="blank-title">${title}</p>
    <p>${text}</p>
    ${button}
  </div>`

export const retryButton = ({ retry }: Messages, run: () => void): TemplateResult =>
  html`<button type="button" class="btn" @click=${run}>${icon(RETRY)}${retry}</button>`
