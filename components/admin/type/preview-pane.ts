// The pane beside the editor: over which send the preview is made, how wide, and what each channel shows.

import { html, type TemplateResult } from 'lit'

import type { Preview } from '../api/types.ts'
import { BROWSER, DOWN, icon, MOBILE } from '../view/icons.ts'
import { shortId } from '../view/status.ts'
import { typeWords as text } from '../words/types.ts'
import { renderPreviews } from './previews.ts'

export interface PaneProps {
  readonly hasFeed: boolean
  readonly isPhone: boolean
  readonly previews: readonly Preview[]
  /** Newest first. */
  readonly sends: readonly string[]
  readonly sendId: string
  readonly typeId: string
  onChange(change: Readonly<Record<string, string | undefined>>): void
}

export const renderPreviewPane = (props: PaneProps): TemplateResult => {
  const { isPhone, onChange, sendId, sends } = props
  const widths = [
    ['desk', BROWSER, !isPhone],
    ['phone', MOBILE, isPhone]
  ] as const
  return html`<div class="pane">
    <div class="pane-head">
      <h2>${text.preview}</h2>
      <fieldset class="segments tiny end" aria-label=${text.preview}>
        ${widths.map(
          ([name, path, isChosen]) =>
            html`<label title=${text.widths[name]}
              ><input
                type="radio"
                name="width"
                aria-label=${text.widths[name]}
                .checked=${isChosen}
                @change=${() => onChange({ width: name === 'phone' ? name : undefined })}
              /><span>${icon(path, 'small')}</span></label
            >`
        )}
      </fieldset>
    </div>
    <label class="data-of"
      ><span class="muted">${text.dataOf}</span
      ><span class="pick"
        ><select
          class="input"
          @change=${(event: Event) => onChange({ send: (event.target as HTMLSelectElement).value })}
        >
          <option value="none" ?selected=${sendId === ''}>${text.sample}</option>
          ${[...new Set([...(sendId ? [sendId] : []), ...sends])].map(
            id => html`<option value=${id} ?selected=${id === sendId}>${shortId(id)}</option>`
          )}</select
        >${icon(DOWN, 'small')}</span
      ></label
    >
    <div class=${isPhone ? 'phone-width' : ''}>${renderPreviews({ ...props, isDark: false })}</div>
  </div>`
}
