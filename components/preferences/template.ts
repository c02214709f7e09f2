// The template of preferences: a matrix if the element is wide, otherwise the channels of each type in two columns.

import { html, nothing, type TemplateResult } from 'lit/html.js'

import { toLanguageTag } from '../core/locale.ts'
import type { Messages } from '../messages/en.ts'
import type { Channel, Preferences } from '../protocol/index.ts'
import { renderRetryButton } from '../view/button.ts'
import { BELL, renderEmptyState, TRAY } from '../view/empty-state.ts'
import { icon } from '../view/icons.ts'
import { repeat } from '../view/render.ts'
import { CHEVRON, renderCell, renderChannelName, renderChannelSwitch } from './cell.ts'
import { SETTINGS_KEY, type PreferencesController } from './controller.ts'
import { renderPaused } from './pause.ts'
import { renderQuietHours } from './quiet-hours.ts'
import { createPreferenceRows, type PreferenceRow } from './rows.ts'
import { renderTopics } from './topics.ts'

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

function renderName(
  { messages }: PreferencesController,
  { description, isUrgent, subNotificationId, title }: PreferenceRow,
  level: number
): TemplateResult {
  const urgent = isUrgent ? html`<span class="urgent">${messages.urgentFlag}</span>` : nothing
  return html`<div
      class="type-name"
      part="title"
      role="heading"
      aria-level=${subNotificationId ? level + 1 : level}
    >
      <bdi>${title}</bdi>${urgent}
    </div>
    ${description ? html`<p class="type-text"><bdi>${description}</bdi></p>` : nothing}`
}

/** What a closed disclosure hides. */
const summarize = ({ host }: PreferencesController, rows: readonly PreferenceRow[]): string =>
  new Intl.ListFormat(toLanguageTag(host.language.lang), { style: 'short', type: 'unit' }).format(
    rows.map(({ title }) => title)
  )

/** Every switch of a type is in sight; only its sub-notifications are folded. */
function renderNarrowRow(
  controller: PreferencesController,
  row: PreferenceRow,
  level: number
): TemplateResult {
  const { cells, subRows, title } = row
  const channels = repeat(
    cells,
    ({ channel }) => channel,
    cell => renderCell(controller, row, cell)
  )
  const subs =
    subRows.length > 0
      ? html`<details class="fold">
          <summary><span class="type-text">${summarize(controller, subRows)}</span>${icon(CHEVRON)}</summary>
          ${repeat(subRows, getKey, sub => renderNarrowRow(controller, sub, level))}
        </details>`
      : nothing
  return html`<div
    class=${row.subNotificationId ? 'sub' : 'type'}
    part="type"
    data-type=${row.subNotificationId ? nothing : row.notificationId}
  >
    ${renderName(controller, row, level)}
    <div class="cells" role="group" aria-label=${title}>${channels}</div>
    ${renderRefusal(controller, row)}${subs}
  </div>`
}

const emptyCell = html`<div class="cell none" aria-hidden="true">–</div>`

function renderMatrixRow(
  controller: PreferencesController,
  row: PreferenceRow,
  channels: readonly Channel[],
  level: number
): TemplateResult {
  const { subNotificationId, subRows, title } = row
  const cellByChannel = new Map(row.cells.map(cell => [cell.channel, cell]))
  const cells = channels.map(channel => {
    const cell = cellByChannel.get(channel)
    return cell ? renderCell(controller, row, cell) : emptyCell
  })
  return html`<div class=${subNotificationId ? 'sub' : 'type'} part="type">
    <div class="row" role="group" aria-label=${title}>
      <div>${renderName(controller, row, level)}${renderRefusal(controller, row)}</div>
      ${cells}
    </div>
    ${repeat(subRows, getKey, sub => renderMatrixRow(controller, sub, channels, level))}
  </div>`
}

/** One switch for each whole channel. An older server has none. */
function renderMasterRow(
  controller: PreferencesController,
  channels: readonly Channel[],
  switches: Preferences['channels']
): TemplateResult | typeof nothing {
  const { isWide, messages } = controller
  if (!switches) return nothing
  const cells = channels.map(channel => {
    const one = switches[channel]
    return one ? renderChannelSwitch(controller, channel, one) : isWide ? emptyCell : nothing
  })
  const name = html`<div class="type-name" part="title" role="heading" aria-level="3">
      ${messages.everything}
    </div>
    <p class="type-text">${messages.everythingText}</p>`
  return html`<div class="type everything" part="type">
    ${
      isWide
        ? html`<div class="row" role="group" aria-label=${messages.everything}>
            <div>${name}</div>
            ${cells}
          </div>`
        : html`${name}
            <div class="cells" role="group" aria-label=${messages.everything}>${cells}</div>`
    }
  </div>`
}

/** Renders everything below the heading. */
export function renderPreferences(controller: PreferencesController): TemplateResult | typeof nothing {
  const { host, isWide, messages, refusedKey, state } = controller
  if (!state) return nothing
  if (state.state === 'busy') return renderSkeleton(messages)
  if (state.state === 'failed') return renderFailure(controller, state.error)
  const { channels, rows } = createPreferenceRows(state, toLanguageTag(host.language.lang))
  const topics = renderTopics(controller, state.topics)
  if (rows.length === 0 && topics === nothing) {
    return html`<slot name="empty"
      >${renderEmptyState(BELL, messages.preferencesEmptyTitle, messages.preferencesEmptyText)}</slot
    >`
  }
  const hasGroups = rows.some(({ group }) => group)
  const level = hasGroups ? 4 : 3
  const heading = (row: PreferenceRow, index: number): TemplateResult | typeof nothing =>
    row.group && row.group !== rows[index - 1]?.group ? html`<h3 class="group">${row.group}</h3>` : nothing
  const types = repeat(
    rows,
    getKey,
    (row, index) =>
      html`${heading(row, index)}${
        isWide ? renderMatrixRow(controller, row, channels, level) : renderNarrowRow(controller, row, level)
      }`
  )
  const names = channels.map(channel => renderChannelName(messages, channel))
  const urgentTitles = rows.filter(({ isUrgent }) => isUrgent).map(({ title }) => title)
  const choices = html`<div class=${isWide ? 'wide' : ''} part="types">
    ${isWide ? html`<div class="cols" aria-hidden="true"><span></span>${names}</div>` : nothing}
    ${renderMasterRow(controller, channels, state.channels)}${types}
  </div>`
  return html`${renderPaused(controller, state.pause)}${rows.length > 0 ? choices : nothing}
  ${topics}${renderQuietHours(controller, state.quiet, urgentTitles)}
  ${refusedKey === SETTINGS_KEY ? html`<p class="refused" part="banner" role="alert">${messages.notSaved}</p>` : nothing}`
}
