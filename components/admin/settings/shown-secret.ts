// A secret that is shown once, with a button that copies it.

import { html, type TemplateResult } from 'lit'

import { COPY, icon, KEY } from '../view/icons.ts'
import { copyFrom } from '../view/status.ts'
import { settingWords as text } from '../words/settings.ts'

export interface ShownSecret {
  readonly title: string
  readonly value: string
}

export const renderSecret = ({ title, value }: ShownSecret, onHide: () => void): TemplateResult =>
  html`<div class="note secret" role="status">
    ${icon(KEY)}
    <p><b>${title}</b> ${text.copyNow}</p>
    <button type="button" class="button quiet" @click=${onHide}>${text.hide}</button>
    <div class="secret-value">
      <code class="mono">${value}</code
      ><button
        type="button"
        class="button"
        @click=${(event: MouseEvent) => void copyFrom(event.currentTarget as HTMLElement, value)}
      >
        ${icon(COPY, 'small')}${text.copy}
      </button>
    </div>
  </div>`
