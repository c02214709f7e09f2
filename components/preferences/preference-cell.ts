// One channel of one type: a switch, how often, or a plain word where there is nothing to choose.

import { live } from 'lit/directives/live.js'
import { html, nothing, type TemplateResult } from 'lit/html.js'

import type { Messages } from '../messages/en.ts'
import type { Channel, Delivery } from '../protocol/index.ts'
import { icon } from '../view/icons.ts'
import type { PreferenceCenter } from './preference-center.ts'
import { CHANNEL_ICONS, CHEVRON, LOCK } from './preference-icons.ts'
import type { Cell, Line } from './preference-lines.ts'

export const channelTemplate = (words: Messages, channel: Channel): TemplateResult =>
  html`<span class="ch">${icon(CHANNEL_ICONS[channel])}<span>${words[channel]}</span></span>`

function often(center: PreferenceCenter, line: Line, cell: Cell): TemplateResult | typeof nothing {
  const { words } = center
  const { channel, choices, delivery } = cell
  if (choices.length < 2 || delivery === 'off') return nothing
  const chosen = (event: Event): void =>
    void center.choose(line, cell, (event.target as HTMLSelectElement).value as Delivery)
  const offered = choices.map(
    choice => html`<option value=${choice} .selected=${live(choice === delivery)}>${words[choice]}</option>`
  )
  return html`<span class="select" part="frequency"
    ><select aria-label=${words.frequency(words[channel])} @change=${chosen}>
      ${offered}</select
    >${icon(CHEVRON, 'small')}</span
  >`
}

/** Nothing to choose: always on, always in a digest, or never. */
function fixed(words: Messages, { choices: [only] }: Cell): TemplateResult {
  return html`<span class="fixed"
    >${only ? icon(LOCK, 'small') : nothing}${only === 'instant' ? words.always : words[only ?? 'off']}</span
  >`
}

export function cellTemplate(center: PreferenceCenter, line: Line, cell: Cell): TemplateResult {
  const { words } = center
  const { canBeOff, channel, choices, delivery } = cell
  // Columns have their heading, for the eye.
  const name = center.wide ? html`<span class="sr">${words[channel]}</span>` : channelTemplate(words, channel)
  if (!canBeOff || choices.length === 0) {
    return html`<div class="cell" part="channel">
      ${name}${choices.length > 1 ? often(center, line, cell) : fixed(words, cell)}
    </div>`
  }
  // On is the most frequent of the choices.
  const turned = ({ target }: Event): void =>
    void center.choose(line, cell, (target as HTMLInputElement).checked ? choices[0]! : 'off')
  return html`<div class="cell" part="channel">
    <label
      >${name}<span class="switch" part="switch"
        ><input type="checkbox" role="switch" .checked=${live(delivery !== 'off')} @change=${turned} /></span
    ></label>
    ${often(center, line, cell)}
  </div>`
}
