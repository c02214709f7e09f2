// Providers with a probe, and the settings of the server.

import { html, nothing, type TemplateResult } from 'lit'

import type { ProviderProbe } from '../api/queues.ts'
import type { ServerSettings } from '../api/settings.ts'
import type { DeliveryQueue } from '../api/status.ts'
import { channelIcon, channelName } from '../view/channel.ts'
import { renderHeadings } from '../view/headings.ts'
import { FAILURE, icon, INBOX, INFO, PAUSED, SUCCESS, WARNING } from '../view/icons.ts'
import { nowWords } from '../words/now.ts'
import { settingWords as text } from '../words/settings.ts'

const CHECK_ICONS = {
  failed: [FAILURE, 'bad'],
  ok: [SUCCESS, 'good'],
  unsupported: [INFO, 'muted'],
  warning: [WARNING, 'warning']
} as const

const STATE_ICONS: Readonly<Record<string, readonly [string, string]>> = {
  paused: [PAUSED, 'warning'],
  'provider-failing': [FAILURE, 'bad'],
  running: [SUCCESS, 'good'],
  sandbox: [INBOX, 'muted']
}

export interface Probes {
  readonly running: ReadonlySet<string>
  readonly results: ReadonlyMap<string, ProviderProbe>
}

function renderState({ queue, state }: DeliveryQueue, { results }: Probes): unknown {
  const result = results.get(queue)
  if (result)
    return result.checks.map(({ detail, probe, state: outcome }) => {
      const [path, tone] = CHECK_ICONS[outcome]
      return html`<span class="check-result"
        ><span class="status" data-tone=${tone}
          >${icon(path, 'small')}${text.probeNames[probe] ?? probe}: ${text.checks[outcome]}</span
        ><span class="muted block">${detail}</span></span
      >`
    })
  const [path, tone] = STATE_ICONS[state] ?? [INFO, 'muted']
  return html`<span class="status" data-tone=${tone}
    >${icon(path, 'small')}${text.queueStates[state] ?? state}</span
  >`
}

export const renderProviders = (
  queues: readonly DeliveryQueue[],
  probes: Probes,
  onProbe: ((queue: string) => void) | undefined
): TemplateResult =>
  html`<div class="card">
    <table class="table stacks" role="table">
      ${renderHeadings(text.providerColumns)}
      <tbody role="rowgroup">
        ${queues.map(
          one =>
            html`<tr role="row">
              <th role="rowheader" scope="row">
                <span class="with-icon">${channelIcon(one.channel, 'small')}${channelName(one.channel)}</span>
              </th>
              <td role="cell">${nowWords.provider(one)}</td>
              <td role="cell" aria-live="polite">${renderState(one, probes)}</td>
              <td role="cell" class="number">
                ${
                  onProbe
                    ? html`<button
                        type="button"
                        class="button"
                        ?disabled=${probes.running.has(one.queue)}
                        @click=${() => onProbe(one.queue)}
                      >
                        ${probes.running.has(one.queue) ? text.probing : text.probe}
                      </button>`
                    : nothing
                }
              </td>
            </tr>`
        )}
      </tbody>
    </table>
  </div>`

/** What was set is open, and stands first. */
const SOURCES = ['set', 'default'] as const

export const renderServer = ({ settings, warnings }: ServerSettings): TemplateResult =>
  html`${warnings.map(
    ({ detail, name }) =>
      html`<div class="note" data-tone="warning">
        ${icon(WARNING)}
        <p>${name ? html`<b class="mono">${name}</b> ` : nothing}${detail}</p>
      </div>`
  )}
  ${SOURCES.map(source => {
    const list = settings.filter(setting => setting.source === source)
    return list.length === 0
      ? nothing
      : html`<details class="card group" ?open=${source === 'set'}>
          <summary class="card-head">
            <b>${text.settingSources[source]}</b><span class="muted end">${list.length}</span>
          </summary>
          <table class="table stacks" role="table">
            ${renderHeadings(text.settingColumns)}
            <tbody role="rowgroup">
              ${list.map(
                ({ default: standard, meaning, name, value }) =>
                  html`<tr role="row">
                    <th role="rowheader" scope="row" class="mono">${name}</th>
                    <td role="cell" class="mono">${value ?? standard ?? '–'}</td>
                    <td role="cell" class="muted">${meaning}</td>
                  </tr>`
              )}
            </tbody>
          </table>
        </details>`
  })}`
