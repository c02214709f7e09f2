// The progress bar of an item, which later updates of the item move.

import { html, nothing, type TemplateResult } from 'lit/html.js'

import type { Notif } from '../../../protocol/index.ts'
import type { ItemView } from '../../base/inbox-view.ts'

/** What is done needs no bar. */
export function renderProgress(
  { host, messages }: ItemView,
  { progress }: Notif
): TemplateResult | typeof nothing {
  if (!progress || progress.state === 'done') return nothing
  const { state, text, value } = progress
  const percent = value === undefined ? undefined : Math.round(Math.min(Math.max(value, 0), 1) * 100)
  const hasFailed = state === 'failed'
  // Work of unknown length that failed has a bar that does not move.
  const isMoving = percent === undefined && !hasFailed
  const shown =
    percent === undefined
      ? isMoving && '…'
      : new Intl.NumberFormat(host.language.lang, { style: 'percent' }).format(percent / 100)
  return html`<div class="progress">
    <div
      class="bar"
      part="progress"
      role="progressbar"
      aria-label=${messages.progress}
      aria-valuemin="0"
      aria-valuemax="100"
      aria-valuenow=${percent ?? nothing}
      aria-valuetext=${text ?? (percent === undefined ? nothing : shown)}
      ?data-unknown=${isMoving}
      ?data-bad=${hasFailed}
    >
      <i .style=${percent === undefined ? '' : `inline-size: ${percent}%`}></i>
    </div>
    ${shown ? html`<span class="percent" aria-hidden="true">${shown}</span>` : nothing}
  </div>`
}
