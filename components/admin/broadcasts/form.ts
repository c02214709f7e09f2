// The form of a new broadcast.

import { html, nothing, type TemplateResult } from 'lit'

import type { TopicHead } from '../api/broadcasts.ts'
import type { TypeHead } from '../api/people.ts'
import { DOWN, icon } from '../view/icons.ts'
import { broadcastWords as text } from '../words/broadcasts.ts'
import { toRequest, type AudienceKind, type Draft, type Timing } from './draft.ts'

export interface FormView {
  readonly draft: Draft
  readonly topics: readonly TopicHead[]
  readonly types: readonly TypeHead[]
  /** Users that the audience has; undefined while it is counted. */
  readonly total: number | undefined
  readonly isSending: boolean
  change(change: Partial<Draft>): void
  submit(): void
}

const valueOf = (event: Event): string => (event.target as HTMLInputElement | HTMLSelectElement).value

const renderPick = (
  label: string,
  options: readonly (readonly [value: string, name: string])[],
  value: string,
  onChange: (value: string) => void
): TemplateResult =>
  html`<label class="field"
    ><span>${label}</span
    ><span class="pick"
      ><select class="input" @change=${(event: Event) => onChange(valueOf(event))}>
        ${options.map(([key, name]) => html`<option value=${key} ?selected=${key === value}>${name}</option>`)}</select
      >${icon(DOWN, 'small')}</span
    ></label
  >`

const renderInput = (
  label: string,
  {
    hint = '',
    type = 'text',
    value
  }: { readonly hint?: string; readonly type?: string; readonly value: string },
  onChange: (value: string) => void
): TemplateResult =>
  html`<label class="field"
    ><span>${label}</span
    ><input
      class="input"
      type=${type}
      autocomplete="off"
      placeholder=${hint}
      .value=${value}
      @input=${(event: Event) => onChange(valueOf(event))}
  /></label>`

const KINDS: readonly AudienceKind[] = ['topic', 'properties', 'everyone']
const TIMINGS: readonly Timing[] = ['now', 'at', 'local']

function renderAudience({ change, draft, topics }: FormView): TemplateResult {
  const { kind, property, topic, value } = draft
  return html`<fieldset class="field">
      <legend class="legend">${text.audience}</legend>
      <div class="segments">
        ${KINDS.map(
          one =>
            html`<label
              ><input
                type="radio"
                name="kind"
                value=${one}
                ?checked=${one === kind}
                @change=${() => change({ kind: one })}
              /><span>${text.kinds[one]}</span></label
            >`
        )}
      </div>
    </fieldset>
    ${
      kind === 'topic'
        ? renderPick(
            text.topic,
            [
              ['', topics.length === 0 ? text.noTopics : ''],
              ...topics.map(({ id, title }) => [id, `${title} (${id})`] as const)
            ],
            topic,
            one => change({ topic: one })
          )
        : nothing
    }${
      kind === 'properties'
        ? html`<div class="pair">
            ${renderInput(text.property, { hint: text.propertyHint, value: property }, one =>
              change({ property: one.trim() })
            )}${renderInput(text.value, { hint: text.valueHint, value }, one => change({ value: one.trim() }))}
          </div>`
        : nothing
    }`
}

function renderTiming({ change, draft }: FormView): TemplateResult {
  const { time, timing } = draft
  return html`${renderPick(
    text.when,
    TIMINGS.map(one => [one, text.times[one]] as const),
    timing,
    one => change({ timing: one as Timing })
  )}${
    timing === 'now'
      ? nothing
      : renderInput(text.time, { type: 'datetime-local', value: time }, one => change({ time: one }))
  }`
}

function renderSubmit({ draft, isSending, total }: FormView): TemplateResult {
  const isReady = toRequest(draft) !== undefined && !isSending
  const label = draft.timing === 'now' ? text.send : text.schedule
  return html`<button class="button main" ?disabled=${!isReady}>
    ${total === undefined ? text.sendPlain : label(total)}
  </button>`
}

export function renderForm(view: FormView): TemplateResult {
  const { change, draft, types } = view
  const onSubmit = (event: Event): void => {
    event.preventDefault()
    view.submit()
  }
  return html`<form class="card" @submit=${onSubmit} aria-labelledby="new-broadcast">
    <div class="card-head"><h2 id="new-broadcast">${text.new}</h2></div>
    <div class="card-body form">
      ${renderAudience(view)}
      <div class="pair">
        ${renderPick(
          text.type,
          [['', ''], ...types.map(({ id, title }) => [id, title ?? id] as const)],
          draft.type,
          type => change({ type })
        )}
        ${renderPick(text.rate, Object.entries(text.rates), String(draft.perSecond), rate =>
          change({ perSecond: Number(rate) })
        )}
      </div>
      <div class="pair">${renderTiming(view)}</div>
      ${renderInput(text.title, { value: draft.title }, title => change({ title }))}
      <label class="field"
        ><span>${text.text}</span
        ><textarea
          class="input"
          rows="4"
          .value=${draft.body}
          @input=${(event: Event) => change({ body: valueOf(event) })}
        ></textarea
        ><span class="help">${text.contentHelp}</span></label
      >
    </div>
    <div class="card-foot"><span class="end">${renderSubmit(view)}</span></div>
  </form>`
}
