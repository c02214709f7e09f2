// The time of the counts of a channel: the last hour, a day or a week.

import { html, type TemplateResult } from 'lit'

import type { DeliveryHistory, EnvironmentStatus, HistorySpan } from '../api/status.ts'
import type { Channel } from '../view/channel.ts'
import { formatPercent } from '../view/number.ts'
import { nowWords } from '../words/now.ts'

const text = nowWords.channels

export type Span = '1h' | HistorySpan

export interface ChannelView {
  readonly span: Span
  /** Undefined for the last hour, and until it is read. */
  readonly history: DeliveryHistory | undefined
  choose(span: Span): void
}

/** What the row says about the chosen time. */
export interface Counts {
  /** Undefined until it is read. */
  readonly sent?: readonly number[] | undefined
  readonly perMinute: string
  readonly delivered: string
}

const SPANS: readonly Span[] = ['1h', '24h', '7d']

/** @param name - the parameter of the address */
export const toSpan = (name: string | null): Span => SPANS.find(span => span === name) ?? '1h'

const NONE = { failed: 0, sent: 0 }

const toDelivered = ({ failed, sent }: typeof NONE): string => formatPercent(sent, sent + failed)

const formatRate = (rate: number): string =>
  (rate < 10 ? Math.round(rate * 10) / 10 : Math.round(rate)).toLocaleString('en')

/** For the last hour, `perMinute` is its last minute; for a longer time, the average. */
export function toCounts(
  channel: Channel,
  { channels }: EnvironmentStatus,
  { history, span }: ChannelView
): Counts {
  if (span === '1h') {
    const { sent, total = NONE } = channels.find(one => one.channel === channel) ?? {}
    return { delivered: toDelivered(total), perMinute: (sent?.at(-1) ?? 0).toLocaleString('en'), sent }
  }
  if (!history) return { delivered: '–', perMinute: '–' }
  const { sent, total = NONE } = history.channels.find(one => one.channel === channel) ?? {}
  const minutes = history.stepMinutes * history.steps.length
  return { delivered: toDelivered(total), perMinute: formatRate(total.sent / minutes), sent }
}

export const renderSpans = ({ choose, span }: ChannelView): TemplateResult =>
  html`<fieldset class="segments end">
    <legend class="sr">${text.span}</legend>
    ${SPANS.map(
      one =>
        html`<label title=${text.spansLong[one]}
          ><input type="radio" name="span" .checked=${one === span} @change=${() => choose(one)} /><span
            >${text.spans[one]}</span
          ></label
        >`
    )}
  </fieldset>`
