// "What if I send": a simulation for this user, at a time, with parameters.

import { html, LitElement, nothing, type TemplateResult } from 'lit'

import type { TypeHead } from '../api/people.ts'
import type { AdminScope } from '../api/scope.ts'
import { simulate, type SimulatedChannel } from '../api/users.ts'
import { channelIcon, channelName } from '../view/channel.ts'
import { problemText } from '../view/feedback.ts'
import { fields } from '../view/field.styles.ts'
import { CALENDAR, CLOCK, DISCARDED, DOWN, FLASK, icon, SUCCESS, WARNING } from '../view/icons.ts'
import { screenStyles } from '../view/screen.ts'
import { formatAgo } from '../view/time.ts'
import { userWords as text } from '../words/users.ts'
import { whatIfStyles } from './what-if.styles.ts'

const ICONS: Readonly<Record<string, string | undefined>> = {
  discarded: DISCARDED,
  failed: WARNING,
  held: CLOCK,
  scheduled: CALENDAR
}

function parseParameters(json: string): Readonly<Record<string, unknown>> | undefined {
  if (json.trim() === '') return {}
  try {
    const value: unknown = JSON.parse(json)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined
  } catch {
    return undefined
  }
}

export class AdminWhatIf extends LitElement {
  static override styles = screenStyles(fields, whatIfStyles)

  static override properties = {
    scope: { attribute: false },
    types: { attribute: false },
    userId: { attribute: false }
  }
  declare scope: AdminScope | undefined
  declare types: readonly TypeHead[]
  declare userId: string

  #foreseen: readonly SimulatedChannel[] | undefined
  #messages: readonly string[] = []
  #fault = ''

  readonly #onSubmit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault()
    const { scope, userId } = this
    const values = new FormData(event.target as HTMLFormElement)
    const parameters = parseParameters(String(values.get('parameters') ?? ''))
    const at = String(values.get('at') ?? '')
    this.#fault = parameters ? '' : text.notJson
    this.requestUpdate()
    if (!scope || !parameters) return
    const answer = await simulate(scope, {
      ...(at && { now: new Date(at).toISOString() }),
      send: { parameters, to: { id: userId }, type: String(values.get('type')) }
    })
    if (answer.ok) {
      this.#foreseen = answer.value.channels
      this.#messages = answer.value.messages
    } else this.#fault = problemText(answer.problem)
    this.requestUpdate()
  }

  #renderForeseen({ at, channel, explanation, state }: SimulatedChannel): TemplateResult {
    const isLater = at !== undefined && Date.parse(at) - Date.now() > 60_000
    return html`<li>
      ${channelIcon(channel, 'small')}<b>${channelName(channel)}</b
      ><span
        ><span
          class="status"
          data-tone=${state === 'discarded' ? 'muted' : state === 'failed' ? 'bad' : 'good'}
          >${icon(ICONS[state] ?? SUCCESS, 'small')}${text.foreseen[state] ?? state}${
            isLater ? `, ${formatAgo(at)}` : ''
          }</span
        >
        <span class="muted">${explanation}</span></span
      >
    </li>`
  }

  protected override render(): TemplateResult {
    const foreseen = this.#foreseen
    return html`<section class="card">
      <div class="card-head">
        <h2>${text.whatIf}</h2>
        <span class="muted">${text.whatIfWhy}</span>
      </div>
      <div class="card-body">
        <form @submit=${this.#onSubmit}>
          <label class="field"
            ><span>${text.type}</span
            ><span class="pick"
              ><select class="input" name="type">
                ${this.types.map(({ id, title }) => html`<option value=${id}>${title ?? id}</option>`)}</select
              >${icon(DOWN, 'small')}</span
            ></label
          >
          <label class="field"
            ><span>${text.when}</span><input class="input" type="datetime-local" name="at"
          /></label>
          <label class="field"
            ><span>${text.with}</span
            ><input
              class="input mono"
              name="parameters"
              autocomplete="off"
              spellcheck="false"
              placeholder="{ }"
              aria-invalid=${this.#fault !== ''}
          /></label>
          <button class="button main">${icon(FLASK, 'small')}${text.tryIt}</button>
        </form>
        <div role="status">
          ${this.#fault ? html`<p class="field-error">${icon(WARNING, 'small')}${this.#fault}</p>` : nothing}
          ${
            foreseen
              ? html`<ul class="foreseen">
                    ${foreseen.map(one => this.#renderForeseen(one))}
                  </ul>
                  ${foreseen.length === 0 ? html`<p class="muted">${text.nothingForeseen}</p>` : nothing}
                  ${this.#messages.map(one => html`<p class="muted">${one}</p>`)}`
              : nothing
          }
        </div>
      </div>
    </section>`
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'notif-admin-what-if': AdminWhatIf
  }
}
