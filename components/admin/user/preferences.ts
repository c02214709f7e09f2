// What applies to a user, by type and channel, and who said so; what waits for her.

import { html, nothing, type TemplateResult } from 'lit'
import { live } from 'lit/directives/live.js'

import type { EffectiveValue, PreferenceRow, UserOverview, Waiting } from '../api/users.ts'
import { channelIcon, channelName, CHANNELS } from '../view/channel.ts'
import { CALENDAR, CLOCK, icon, LOCK } from '../view/icons.ts'
import { renderId } from '../view/status.ts'
import { formatExact, renderTime } from '../view/time.ts'
import { userWords as text } from '../words/users.ts'

export type Choose = (row: PreferenceRow, channel: EffectiveValue['channel'], delivery: string) => void

/** An inbox has no digests. */
const DELIVERIES = ['instant', 'hourly', 'daily', 'weekly', 'monthly', 'off'] as const

/** Neither a channel that is off as a whole nor a required one can be chosen by type. */
const canChoose = ({ source }: EffectiveValue): boolean =>
  source !== 'locked' && source !== 'channel-off' && source !== 'blocked'

function renderChoice(
  row: PreferenceRow,
  { channel, delivery, source }: EffectiveValue,
  onChoose: Choose
): TemplateResult {
  const choices = channel === 'INAPP_WEB' ? (['instant', 'off'] as const) : DELIVERIES
  return html`<select
    class="choice"
    aria-label="${row.title}, ${channelName(channel)}"
    @change=${({ target }: Event) => onChoose(row, channel, (target as HTMLSelectElement).value)}
  >
    ${choices.map(one => html`<option value=${one} .selected=${live(one === delivery)}>${text.deliveries[one]}</option>`)}
    ${source === 'user' ? html`<option value="">${text.asDefault}</option>` : nothing}
  </select>`
}

function renderValue(
  row: PreferenceRow,
  value: EffectiveValue | undefined,
  onChoose: Choose | undefined
): TemplateResult {
  if (!value) return html`<td class="muted" aria-label=${text.noChannel}>–</td>`
  const { changedAt, changedBy, delivery, source } = value
  const title = changedAt ? `${formatExact(changedAt)}${changedBy ? `, ${changedBy}` : ''}` : nothing
  return html`<td title=${title}>
    <span class="value" ?data-off=${delivery === 'off'}
      >${
        onChoose && canChoose(value)
          ? renderChoice(row, value, onChoose)
          : html`${source === 'locked' ? icon(LOCK, 'small') : nothing}${text.deliveries[delivery] ?? delivery}`
      }</span
    ><span class="from" data-source=${source}>${text.sources[source] ?? source}</span>
  </td>`
}

export function renderPreferences(
  { hasMorePreferences, preferences }: UserOverview,
  onChoose: Choose | undefined
): TemplateResult {
  const shown = CHANNELS.filter(channel =>
    preferences.some(row => row.channels.some(one => one.channel === channel))
  )
  const renderRow = (row: PreferenceRow): TemplateResult => {
    const { channels, id, subId, title } = row
    return html`<tr class=${subId === undefined ? '' : 'sub'}>
      <th scope="row"><b>${title}</b><span class="mono">${subId ?? id}</span></th>
      ${shown.map(channel =>
        renderValue(
          row,
          channels.find(one => one.channel === channel),
          onChoose
        )
      )}
    </tr>`
  }
  return html`<section class="card">
    <div class="card-head">
      <h2>${text.preferences}</h2>
      <span class="muted">${text.preferencesWhy}</span>
    </div>
    ${
      preferences.length === 0
        ? html`<p class="card-body muted">${text.noPreferences}</p>`
        : html`<div class="scroll-x" tabindex="0" role="region" aria-label=${text.preferences}>
            <table class="table matrix">
              <thead>
                <tr>
                  <th scope="col">${text.type}</th>
                  ${shown.map(
                    channel =>
                      html`<th scope="col">${channelIcon(channel, 'small')}${channelName(channel)}</th>`
                  )}
                </tr>
              </thead>
              <tbody>
                ${preferences.map(renderRow)}
              </tbody>
            </table>
          </div>`
    }
    ${hasMorePreferences ? html`<p class="card-foot">${text.more}</p>` : nothing}
  </section>`
}

export interface WaitingActions {
  readonly canDrop: boolean
  onDrop(waiting: Waiting): void
}

export const renderWaiting = (
  { hasMoreWaiting, waiting }: UserOverview,
  { canDrop, onDrop }: WaitingActions
): TemplateResult =>
  html`<section class="card">
    <div class="card-head"><h2>${text.waits}</h2></div>
    ${
      waiting.length === 0
        ? html`<p class="card-body muted">${text.noWaits}</p>`
        : html`<table class="table stacks" role="table">
            <tbody role="rowgroup">
              ${waiting.map(
                one =>
                  html`<tr role="row">
                    <th role="rowheader" scope="row">
                      <span class="with-icon"
                        >${
                          one.channel
                            ? channelIcon(one.channel, 'small')
                            : icon(one.kind === 'schedule' ? CALENDAR : CLOCK, 'small')
                        }${text.kinds[one.kind]}</span
                      >
                    </th>
                    <td role="cell">
                      <span class="mono">${one.type}</span
                      >${one.count === undefined ? nothing : html` <span class="muted">${text.items(one.count)}</span>`}
                    </td>
                    <td role="cell">${one.kind === 'schedule' ? renderId(one.id) : nothing}</td>
                    <td role="cell" class="number nowrap">
                      ${one.at ? renderTime(one.at) : html`<span class="muted">${text.withoutTime}</span>`}
                    </td>
                    <td role="cell" class="number">
                      ${
                        one.kind === 'schedule' && canDrop
                          ? html`<button type="button" class="button over" @click=${() => onDrop(one)}>
                              ${text.dropSchedule}
                            </button>`
                          : nothing
                      }
                    </td>
                  </tr>`
              )}
            </tbody>
          </table>`
    }
    ${hasMoreWaiting ? html`<p class="card-foot">${text.more}</p>` : nothing}
  </section>`
