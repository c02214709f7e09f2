// Settings of a type: default and choices by channel, and whether and how often it is sent.

import { html, nothing, type TemplateResult } from 'lit'

import type { TypeContent } from '../api/types.ts'
import { channelIcon, channelName } from '../view/channel.ts'
import { DOWN, icon } from '../view/icons.ts'
import { typeWords as text } from '../words/types.ts'
import { userWords } from '../words/users.ts'
import { askLimits, keepText, repeatsText, throttleText } from './limits.ts'
import { parseKey, sortKeys } from './template.ts'

const DELIVERIES = ['off', 'instant', 'hourly', 'daily', 'weekly', 'monthly'] as const

type Options = Readonly<Record<string, unknown>> & { readonly defaultDeliveryOption?: string }

const optionsOf = (content: TypeContent, channel: string): Options =>
  ((content['options'] as Record<string, Options> | undefined)?.[channel] ?? {}) as Options

/** An inbox has no digests. */
const deliveriesOf = (channel: string): readonly string[] =>
  channel === 'INAPP_WEB' ? ['off', 'instant'] : DELIVERIES

const isEnabled = (choice: unknown): boolean =>
  typeof choice === 'object' && choice !== null && (choice as { enabled?: boolean }).enabled === true

const nameOf = (delivery: string): string => userWords.deliveries[delivery] ?? delivery

export function renderSettings(
  content: TypeContent,
  isReadOnly: boolean,
  onChange: (content: TypeContent) => void
): TemplateResult {
  const channels = [...new Set(sortKeys(content.templates).map(key => parseKey(key).channel))]
  const setDefault = (channel: string, value: string): void => {
    const options = (content['options'] as Record<string, Options> | undefined) ?? {}
    const changed = { ...optionsOf(content, channel), defaultDeliveryOption: value }
    onChange({ ...content, options: { ...options, [channel]: changed } })
  }
  const changeLimits = async (): Promise<void> => {
    const changed = await askLimits(content)
    if (changed) onChange(changed)
  }
  const renderSwitch = (name: 'enabled' | 'urgent', title: string, why: string): TemplateResult =>
    html`<li>
      <label class="switch"
        ><span class="grow"><b class="block">${title}</b><span class="muted">${why}</span></span
        ><input
          type="checkbox"
          role="switch"
          .checked=${content[name] === true}
          ?disabled=${isReadOnly}
          @change=${(event: Event) =>
            onChange({ ...content, [name]: (event.target as HTMLInputElement).checked })}
      /></label>
    </li>`
  const renderFact = (title: string, why: string, value: string): TemplateResult =>
    html`<li>
      <span class="grow"><b class="block">${title}</b><span class="muted">${why}</span></span
      ><span>${value}</span>
    </li>`
  return html`<div class="section-head">
      <h2>${text.parts.settings}</h2>
      <p>${text.settingsWhy}</p>
    </div>
    <div class="two">
      <div class="card">
        <table class="table">
          <thead>
            <tr>
              <th scope="col">${text.channel}</th>
              <th scope="col">${text.default}</th>
              <th scope="col">${text.mayChoose}</th>
            </tr>
          </thead>
          <tbody>
            ${channels.map(channel => {
              const options = optionsOf(content, channel)
              const chosen = options.defaultDeliveryOption ?? 'instant'
              const choices = DELIVERIES.filter(one => isEnabled(options[one])).map(nameOf)
              return html`<tr>
                <th scope="row">
                  <span class="with-icon">${channelIcon(channel, 'small')}${channelName(channel)}</span>
                </th>
                <td>
                  <span class="pick"
                    ><select
                      class="input"
                      aria-label="${text.default}, ${channelName(channel)}"
                      ?disabled=${isReadOnly}
                      @change=${(event: Event) => setDefault(channel, (event.target as HTMLSelectElement).value)}
                    >
                      ${deliveriesOf(channel).map(
                        one => html`<option value=${one} ?selected=${one === chosen}>${nameOf(one)}</option>`
                      )}</select
                    >${icon(DOWN, 'small')}</span
                  >
                </td>
                <td class="muted">${choices.join(', ') || text.noChoice}</td>
              </tr>`
            })}
          </tbody>
        </table>
      </div>
      <div class="card">
        <ul class="rows settings">
          ${renderSwitch('enabled', text.enabled, text.enabledWhy)}
          ${renderSwitch('urgent', text.urgent, text.urgentWhy)}
          ${renderFact(text.throttle, text.throttleWhy, throttleText(content))}
          ${renderFact(text.repeats, text.repeatsWhy, repeatsText(content))}
          ${renderFact(text.keep, text.keepWhy, keepText(content))}
        </ul>
        ${
          isReadOnly
            ? nothing
            : html`<div class="card-foot">
                <button type="button" class="button end" @click=${() => void changeLimits()}>
                  ${text.limits}
                </button>
              </div>`
        }
      </div>
    </div>`
}
