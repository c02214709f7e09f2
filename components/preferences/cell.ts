// One channel of a type: a switch, a frequency, or a text if the user has no choice.

import { live } from 'lit/directives/live.js'
import { html, nothing, type TemplateResult } from 'lit/html.js'

import type { Messages } from '../messages/en.ts'
import type { Channel, ChannelSwitch, Delivery } from '../protocol/index.ts'
import { BROWSER, icon, MAIL, UNARCHIVE } from '../view/icons.ts'
import type { PreferencesController } from './controller.ts'
import type { Cell, PreferenceRow } from './rows.ts'

export const CHEVRON = 'm5.75 8 4.25 4.25L14.25 8'
const LOCK =
  'M6.25 8.75h7.5a2 2 0 0 1 2 2v4a2 2 0 0 1-2 2h-7.5a2 2 0 0 1-2-2v-4a2 2 0 0 1 2-2ZM7 8.75V6.25a3 3 0 0 1 6 0v2.5'

const CHANNEL_ICONS: Readonly<Record<Channel, string>> = {
  CALL: 'M4.7 3.25h1.9a1.25 1.25 0 0 1 1.2.88l.64 2.1a1.25 1.25 0 0 1-.36 1.28L7.1 8.4a10.2 10.2 0 0 0 4.5 4.5l.9-.98a1.25 1.25 0 0 1 1.27-.36l2.1.64c.53.16.88.65.88 1.2v1.9a1.5 1.5 0 0 1-1.6 1.45C8.65 16.3 3.7 11.35 3.25 4.85A1.5 1.5 0 0 1 4.7 3.25Z',
  EMAIL: MAIL,
  INAPP_WEB: UNARCHIVE,
  PUSH: 'M7.75 2.25h4.5a2 2 0 0 1 2 2v11.5a2 2 0 0 1-2 2h-4.5a2 2 0 0 1-2-2V4.25a2 2 0 0 1 2-2ZM9 15h2',
  SLACK: 'M8 2.9v8.9M12.4 8.2v8.9M2.9 12h8.9M8.2 7.6h8.9M5.4 8.4v-.8M14.6 12.4v-.8',
  SMS: 'M4.75 3.75h10.5a2 2 0 0 1 2 2v6.5a2 2 0 0 1-2 2H9.6L6.25 17v-2.75h-1.5a2 2 0 0 1-2-2v-6.5a2 2 0 0 1 2-2ZM6.9 9h.01M10 9h.01M13.1 9h.01',
  WEB_PUSH: BROWSER
}

export const renderChannelName = (messages: Messages, channel: Channel): TemplateResult =>
  html`<span class="ch">${icon(CHANNEL_ICONS[channel])}<span>${messages[channel]}</span></span>`

function renderFrequency(
  controller: PreferencesController,
  row: PreferenceRow,
  cell: Cell
): TemplateResult | typeof nothing {
  const { messages } = controller
  const { channel, choices, delivery } = cell
  if (choices.length < 2 || delivery === 'off') return nothing
  const onChange = (event: Event): void =>
    void controller.choose(row, cell, (event.target as HTMLSelectElement).value as Delivery)
  const options = choices.map(
    choice =>
      html`<option value=${choice} .selected=${live(choice === delivery)}>${messages[choice]}</option>`
  )
  return html`<span class="select" part="frequency"
    ><select aria-label=${messages.frequency(messages[channel])} @change=${onChange}>
      ${options}</select
    >${icon(CHEVRON, 'small')}</span
  >`
}

/** The only choice: always on, always in a digest, or never. */
function renderFixed(messages: Messages, { choices: [only] }: Cell): TemplateResult {
  const text = only === 'instant' ? messages.always : messages[only ?? 'off']
  return html`<span class="fixed">${only ? icon(LOCK, 'small') : nothing}${text}</span>`
}

export function renderCell(
  controller: PreferencesController,
  row: PreferenceRow,
  cell: Cell
): TemplateResult {
  const { isWide, messages } = controller
  const { canBeOff, channel, choices, delivery, isChannelOff } = cell
  const className = isChannelOff ? 'cell dimmed' : 'cell'
  // The columns of the matrix have visible headings.
  const name = isWide
    ? html`<span class="sr">${messages[channel]}</span>`
    : renderChannelName(messages, channel)
  if (!canBeOff || choices.length === 0) {
    return html`<div class=${className} part="channel">
      ${name}${choices.length > 1 ? renderFrequency(controller, row, cell) : renderFixed(messages, cell)}
    </div>`
  }
  // Turning a channel on chooses the highest frequency.
  const onChange = ({ target }: Event): void =>
    void controller.choose(row, cell, (target as HTMLInputElement).checked ? choices[0]! : 'off')
  return html`<div class=${className} part="channel">
    <label
      >${name}<span class="switch" part="switch"
        ><input
          type="checkbox"
          role="switch"
          .checked=${live(delivery !== 'off')}
          @change=${onChange} /></span
    ></label>
    ${renderFrequency(controller, row, cell)}
  </div>`
}

/** The switch of a whole channel. Only the network can end a block (STOP to an SMS). */
export function renderChannelSwitch(
  controller: PreferencesController,
  channel: Channel,
  { on, state }: ChannelSwitch
): TemplateResult {
  const { isWide, messages } = controller
  const name = isWide
    ? html`<span class="sr">${messages[channel]}</span>`
    : renderChannelName(messages, channel)
  if (state === 'blocked')
    return html`<div class="cell" part="channel">
      ${name}<span class="fixed">${icon(LOCK, 'small')}${messages.blockedChannel}</span>
    </div>`
  const onChange = ({ target }: Event): void =>
    void controller.set({ channels: { [channel]: { on: (target as HTMLInputElement).checked } } })
  return html`<div class="cell" part="channel">
    <label
      >${name}<span class="switch" part="switch"
        ><input type="checkbox" role="switch" .checked=${live(on)} @change=${onChange} /></span
    ></label>
  </div>`
}
