// The template of preferences: a matrix if the element is wide, otherwise a disclosure for each type.

import { html, nothing, type TemplateResult } from 'lit/html.js'

import { toLanguageTag } from '../core/locale.ts'
import type { Messages } from '../messages/en.ts'
import type { Channel } from '../protocol/index.ts'
import { renderRetryButton } from '../view/button.ts'
import { BELL, renderEmptyState, TRAY } from '../view/empty-state.ts'
import { icon } from '../view/icons.ts'
import { repeat } from '../view/render.ts'
import { CHEVRON, renderCell, renderChannelName } from './cell.ts'
import type { PreferencesController } from './controller.ts'
import { createPreferenceRows, type PreferenceRow } from './rows.ts'

const skeletonRow = html`<div class="type skeleton-row">
  <span class="placeholder"></span><span class="placeholder"></span>
</div>`

const renderSkeleton = ({ loading }: Messages): TemplateResult =>
  html`<div aria-hidden="true">${[skeletonRow, skeletonRow, skeletonRow, skeletonRow]}</div>
    <span class="sr">${loading}</span>`

function renderFailure(controller: PreferencesController, error: unknown): TemplateResult {
  const { messages } = controller
  const isRefused = [401, 403].includes((Object(error) as { status?: number }).status!)
  const text = isRefused ? messages.refusedText : messages.errorText
  const retry = renderRetryButton(messages, () => controller.retry())
  return html`<slot name="error"
    >${renderEmptyState(TRAY, messages.preferencesErrorTitle, text, retry)}</slot
  >`
}

const getKey = ({ key }: PreferenceRow): string => key

const renderRefusal = (
  { messages, refusedKey }: PreferencesController,
  { key }: PreferenceRow
): TemplateResult | typeof nothing =>
  refusedKey === key ? html`<p class="refused" part="banner" role="alert">${messages.notSaved}</p>` : nothing

/** "In app, Email (hourly)": what a closed disclosure hides. */
function summarize({ host, messages }: PreferencesController, { cells }: PreferenceRow): string {
  const lang = toLanguageTag(host.language.lang)
  const list = new Intl.ListFormat(lang, { style: 'short', type: 'unit' })
  const channels = cells
    .filter(({ delivery }) => delivery !== 'off')
    .map(({ channel, choices, delivery }) =>
      choices.length > 1 && delivery !== 'instant'
        ? `${messages[channel]} (${messages[delivery].toLocaleLowerCase(lang)})`
        : messages[channel]
    )
  return list.format(channels) || messages.off
}

function renderDisclosure(
  controller: PreferencesController,
  row: PreferenceRow,
  className: string,
  isOpen: boolean
): TemplateResult {
  const { cells, subRows, title } = row
  const channels = repeat(
    cells,
    ({ channel }) => channel,
    cell => renderCell(controller, row, cell)
  )
  return html`<details class="fold ${className}" part="type" ?open=${isOpen}>
    <summary>
      <span class="type-name" part="title">${title}</span
      ><span class="type-text">${summarize(controller, row)}</span>${icon(CHEVRON)}
    </summary>
    <div class="cells" role="group" aria-label=${title}>${channels}</div>
    ${renderRefusal(controller, row)}${repeat(subRows, getKey, sub => renderDisclosure(controller, sub, 'sub', false))}
  </details>`
}

const emptyCell = html`<div class="cell none" aria-hidden="true">–</div>`

function renderMatrixRow(
  controller: PreferencesController,
  row: PreferenceRow,
  channels: readonly Channel[]
): TemplateResult {
  const { subNotificationId, subRows, title } = row
  const cellByChannel = new Map(row.cells.map(cell => [cell.channel, cell]))
  const name = subNotificationId
    ? html`<h4 class="type-name" part="title">${title}</h4>`
    : html`<h3 class="type-name" part="title">${title}</h3>`
  const cells = channels.map(channel => {
    const cell = cellByChannel.get(channel)
    return cell ? renderCell(controller, row, cell) : emptyCell
  })
  return html`<div class=${subNotificationId ? 'sub' : 'type'} part="type">
    <div class="row" role="group" aria-label=${title}>
      <div>${name}${renderRefusal(controller, row)}</div>
      ${cells}
    </div>
    ${repeat(subRows, getKey, sub => renderMatrixRow(controller, sub, channels))}
  </div>`
}

/** Renders everything below the heading. */
export function renderPreferences(controller: PreferencesController): TemplateResult | typeof nothing {
  const { host, isWide, messages, state } = controller
  if (!state) return nothing
  if (state.state === 'busy') return renderSkeleton(messages)
  if (state.state === 'failed') return renderFailure(controller, state.error)
  const { channels, rows } = createPreferenceRows(state, toLanguageTag(host.language.lang))
  if (rows.length === 0) {
    return html`<slot name="empty"
      >${renderEmptyState(BELL, messages.preferencesEmptyTitle, messages.preferencesEmptyText)}</slot
    >`
  }
  if (!isWide) {
    const isOnly = rows.length === 1
    return html`<div part="types">
      ${repeat(rows, getKey, row => renderDisclosure(controller, row, 'type', isOnly))}
    </div>`
  }
  const names = channels.map(channel => renderChannelName(messages, channel))
  return html`<div class="wide" part="types">
    <div class="cols" aria-hidden="true"><span></span>${names}</div>
    ${repeat(rows, getKey, row => renderMatrixRow(controller, row, channels))}
  </div>`
}
