// Limits of a type: how often a user gets it, repeats, and how long it stays in the inbox; as sentences, and as a question.

import { html, type TemplateResult } from 'lit'

import type { TypeContent } from '../api/types.ts'
import { askDialog } from '../view/dialog.ts'
import { typeWords as text } from '../words/types.ts'

const UNITS = ['seconds', 'minutes', 'hours', 'days', 'months', 'years'] as const

export const throttleText = ({ throttling }: TypeContent): string => {
  if (!throttling) return text.noLimit
  const { forever, max, period, unit } = throttling
  return text.times(max, forever ? text.forever : text.inPeriod(period ?? 1, unit ?? 'days'))
}

export const repeatsText = ({ deduplication }: TypeContent): string =>
  deduplication ? text.seconds(deduplication.duration) : text.noLimit

export const keepText = ({ retention }: TypeContent): string =>
  retention === undefined ? text.forever : text.days(retention)

const renderNumber = (name: string, label: string, value: number | undefined): TemplateResult =>
  html`<label class="field"
    ><span>${label}</span
    ><input class="input" name=${name} type="number" min="1" step="1" .value=${value?.toString() ?? ''}
  /></label>`

function toContent(content: TypeContent, values: FormData): TypeContent {
  const { deduplication: _, retention: __, throttling: ___, ...rest } = content
  const read = (name: string): number => Number(values.get(name) || 0)
  const unit = UNITS.find(one => one === values.get('unit'))
  const [duration, max, retention] = [read('duration'), read('max'), read('retention')]
  return {
    ...rest,
    ...(max > 0 && {
      throttling: unit ? { max, period: Math.max(1, read('period')), unit } : { forever: true, max }
    }),
    ...(duration > 0 && { deduplication: { duration } }),
    ...(retention > 0 && { retention })
  }
}

/** @returns the changed content, or undefined if the member cancels */
export async function askLimits(content: TypeContent): Promise<TypeContent | undefined> {
  const { deduplication, retention, throttling } = content
  const unit = throttling?.forever ? '' : (throttling?.unit ?? 'days')
  const values = await askDialog({
    body: () =>
      html`<p>${text.limitsWhy}</p>
        ${renderNumber('max', text.max, throttling?.max)}
        ${renderNumber('period', text.period, throttling?.period)}
        <label class="field"
          ><span>${text.unit}</span
          ><select class="input" name="unit">
            ${UNITS.map(one => html`<option value=${one} ?selected=${one === unit}>${text.units[one]}</option>`)}
            <option value="" ?selected=${unit === ''}>${text.ever}</option>
          </select></label
        >
        ${renderNumber('duration', text.repeatsIn, deduplication?.duration)}
        ${renderNumber('retention', text.keepFor, retention)}`,
    confirm: text.apply,
    title: text.limitsTitle
  })
  return values && toContent(content, values)
}
