// Buttons with an icon.

import { html, nothing, type TemplateResult } from 'lit/html.js'

import type { Messages } from '../messages/en.ts'
import { icon, RETRY } from './icons.ts'

/**
 * The title is the accessible name. With an `aria-label` beside it, screen readers would read it again as a description.
 *
 * @param isEnabled - not by `disabled`, because a disabled button loses the focus
 */
export const renderIconButton = (
  name: string,
  picture: TemplateResult,
  onClick: () => void,
  isEnabled = true,
  className = 'icon'
): TemplateResult =>
  html`<button
    class=${className}
    title=${name}
    aria-disabled=${isEnabled ? nothing : 'true'}
    @click=${() => isEnabled && onClick()}
  >
    ${picture}
  </button>`

export const renderRetryButton = ({ retry }: Messages, onClick: () => void): TemplateResult =>
  html`<button class="btn" @click=${onClick}>${icon(RETRY)}${retry}</button>`
