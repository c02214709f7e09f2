// Preferences in two forms: a matrix where there is room, otherwise one fold for each type.

import { repeat } from 'lit/directives/repeat.js'
import { html, nothing, type TemplateResult } from 'lit/html.js'

import { toLanguageTag } from '../core/locale.ts'
import type { Channel } from '../protocol/index.ts'
import { icon } from '../view/icons.ts'
import { cellTemplate, channelTemplate } from './preference-cell.ts'
import type { PreferenceCenter } from './preference-center.ts'
import { CHEVRON } from './preference-icons.ts'
import { linesOf, type Line } from './preference-lines.ts'
import { preferenceBones, preferencesEmpty, preferencesFailed } from './preference-states.ts'

const keyOf = ({ key }: Line): string => key

const refusal = ({ refused, words }: PreferenceCenter, { key }: Line): TemplateResult | typeof nothing =>
  refused === key ? html`<p class="refused" part="banner" role="alert">${words.notSaved}</p>` : nothing

/** "In app, Email (hourly)": what is folded away, for everyone. */
function summary({ locale, words }: PreferenceCenter, { cells }: Line): string {
  const list = new Intl.ListFormat(toLanguageTag(locale.lang), { style: 'short', type: 'unit' })
  const on = cells
    .filter(({ delivery }) => delivery !== 'off')
    .map(({ channel, choices, delivery }) =>
      choices.length > 1 && delivery !== 'instant'
        ? `${words[channel]} (${words[delivery].toLocaleLowerCase(toLanguageTag(locale.lang))})`
        : words[channel]
    )
  return list.format(on) || words.off
}

function fold(center: PreferenceCenter, line: Line, look: string, isOpen: boolean): TemplateResult {
  const { cells, subs, title } = line
  const channels = repeat(
    cells,
    ({ channel }) => channel,
    cell => cellTemplate(center, line, cell)
  )
  return html`<details class="fold ${look}" part="type" ?open=${isOpen}>
    <summary>
      <span class="type-name" part="title">${title}</span
      ><span class="type-text">${summary(center, line)}</span>${icon(CHEVRON)}
    </summary>
    <div class="cells" role="group" aria-label=${title}>${channels}</div>
    ${refusal(center, line)}${repeat(subs, keyOf, sub => fold(center, sub, 'sub', false))}
  </details>`
}

const missing = html`<div class="cell none" aria-hidden="true">–</div>`

function row(center: PreferenceCenter, line: Line, channels: readonly Channel[]): TemplateResult {
  const { subNotificationId, subs, title } = line
  const cellOn = new Map(line.cells.map(cell => [cell.channel, cell]))
  const name = subNotificationId
    ? html`<h4 class="type-name" part="title">${title}</h4>`
    : html`<h3 class="type-name" part="title">${title}</h3>`
  const cells = channels.map(channel => {
    const cell = cellOn.get(channel)
    return cell ? cellTemplate(center, line, cell) : missing
  })
  return html`<div class=${subNotificationId ? 'sub' : 'type'} part="type">
    <div class="row" role="group" aria-label=${title}>
      <div>${name}${refusal(center, line)}</div>
      ${cells}
    </div>
    ${repeat(subs, keyOf, sub => row(center, sub, channels))}
  </div>`
}

/** Everything below the heading. */
export function preferencesTemplate(center: PreferenceCenter): TemplateResult {
  const { locale, state, wide, words } = center
  if (state.state === 'busy') return preferenceBones(words)
  if (state.state === 'failed') return preferencesFailed(center, state.error)
  const view = linesOf(state, toLanguageTag(locale.lang))
  if (view.lines.length === 0) return preferencesEmpty(center)
  const { channels, lines } = view
  if (!wide) {
    const only = lines.length === 1
    return html`<div part="types">${repeat(lines, keyOf, line => fold(center, line, 'type', only))}</div>`
  }
  const heads = channels.map(channel => channelTemplate(words, channel))
  return html`<div class="wide" part="types">
    <div class="cols" aria-hidden="true"><span></span>${heads}</div>
    ${repeat(lines, keyOf, line => row(center, line, channels))}
  </div>`
}
