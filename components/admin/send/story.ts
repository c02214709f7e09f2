// The story of each channel: its state, why, each attempt with the provider's own words, and the rules in their order.

import { html, nothing, type TemplateResult } from 'lit'

import type { Attempt, ChannelExplanation, DeliveryExplanation, SendRecord } from '../api/sends.ts'
import { channelIcon, channelName } from '../view/channel.ts'
import {
  CHECK,
  CLOCK,
  CLOSE,
  DEAD_LETTER,
  DISCARDED,
  DOWN,
  EYE,
  FAILURE,
  icon,
  SUCCESS
} from '../view/icons.ts'
import { toChannelState, toSentence } from '../view/send-state.ts'
import { renderStatus } from '../view/status.ts'
import { formatDuration, renderTime } from '../view/time.ts'
import { sendWords } from '../words/send.ts'

const text = sendWords.story

interface Step {
  readonly icon: string
  readonly tone: 'good' | 'bad' | 'warning' | 'plain'
  readonly title: string
  readonly text?: string | undefined
  readonly said?: string | undefined
  readonly at?: string | undefined
}

const saidOf = ({ code, detail }: Attempt): string | undefined =>
  detail ? (code && !detail.startsWith(code) ? `${code} ${detail}` : detail) : code

function toAttemptStep(attempt: Attempt, before: Attempt | undefined): Step {
  const said = saidOf(attempt)
  const isSame = before !== undefined && said !== undefined && saidOf(before) === said
  const isTaken = attempt.outcome === 'sent'
  return {
    at: attempt.at,
    icon: isTaken ? SUCCESS : FAILURE,
    said: isSame ? undefined : said,
    text: isSame ? text.sameWords : attempt.tookMs === undefined ? undefined : formatDuration(attempt.tookMs),
    title: text.attempt(attempt.attempt, attempt.outcome),
    tone: isTaken ? 'good' : 'bad'
  }
}

function toDeliverySteps(delivery: DeliveryExplanation): readonly Step[] {
  const { attempts, deadLetter, nextAt, state, to } = delivery
  const steps = attempts.map((attempt, index) => toAttemptStep(attempt, attempts[index - 1]))
  if (to && steps[0]) steps[0] = { ...steps[0], text: [to, steps[0].text].filter(Boolean).join(', ') }
  if (deadLetter) steps.push({ icon: DEAD_LETTER, text: text.deadWhy, title: text.dead, tone: 'bad' })
  else if (state !== 'sent' && nextAt)
    steps.push({ at: nextAt, icon: CLOCK, text: delivery.explanation, title: text.next, tone: 'warning' })
  return steps
}

function toSteps(channel: ChannelExplanation, { received_at }: SendRecord): readonly Step[] {
  const { clickedAt, decision, deliveries, openedAt, receipts = [], state } = channel
  if (state === 'discarded')
    return [
      {
        at: received_at,
        icon: DISCARDED,
        text: toSentence(channel),
        title: text.discarded,
        tone: 'plain'
      }
    ]
  const steps: Step[] = [
    { at: received_at, icon: CHECK, text: text.decision(decision), title: text.accepted, tone: 'good' }
  ]
  steps.push(...deliveries.flatMap(toDeliverySteps))
  if (deliveries.length === 0)
    steps.push(
      state === 'failed'
        ? { icon: FAILURE, text: toSentence(channel), title: text.failedEarly, tone: 'bad' }
        : { icon: SUCCESS, text: toSentence(channel), title: text.done, tone: 'plain' }
    )
  for (const receipt of receipts)
    steps.push({
      at: receipt.at,
      icon: receipt.outcome === 'undelivered' ? FAILURE : SUCCESS,
      said: receipt.detail ?? receipt.code,
      title: text.receipts[receipt.outcome],
      tone: receipt.outcome === 'undelivered' ? 'bad' : 'good'
    })
  if (openedAt) steps.push({ at: openedAt, icon: EYE, title: text.opened, tone: 'good' })
  if (clickedAt) steps.push({ at: clickedAt, icon: EYE, title: text.clicked, tone: 'good' })
  return steps
}

function renderStep(step: Step, receivedAt: string): TemplateResult {
  const passed = step.at === undefined ? undefined : Date.parse(step.at) - Date.parse(receivedAt)
  return html`<li data-tone=${step.tone}>
    ${icon(step.icon)}<b>${step.title}</b>${
      passed === undefined ? html`<span></span>` : renderTime(step.at!, `+${formatDuration(passed)}`)
    }
    ${step.text ? html`<p>${step.text}</p>` : nothing}${step.said ? html`<code class="said">${step.said}</code>` : nothing}
  </li>`
}

const renderRules = (rules: NonNullable<ChannelExplanation['rules']>): TemplateResult =>
  html`<div>
    <p class="small-head">${text.rules}</p>
    <ul class="rules">
      ${rules.map(
        ({ passed, rule }) =>
          html`<li data-passed=${passed}>
            ${icon(passed ? CHECK : CLOSE, 'small')}<span>${sendWords.ruleNames[rule] ?? rule}</span>
          </li>`
      )}
    </ul>
  </div>`

/** Failed and discarded ones are open. */
const isOpen = ({ state }: ChannelExplanation): boolean => state === 'failed' || state === 'discarded'

const ORDER = ['failed', 'waiting', 'held', 'scheduled', 'discarded', 'sent', 'unknown']

function renderChannel(channel: ChannelExplanation, send: SendRecord): TemplateResult {
  const attempts = channel.deliveries.flatMap(one => one.attempts)
  const last = attempts.at(-1)
  return html`<details class="story" id=${channel.channel} ?open=${isOpen(channel)}>
    <summary>
      ${channelIcon(channel.channel)}<b>${channelName(channel.channel)}</b>${renderStatus(toChannelState(channel))}<span
        class="why muted clip"
        >${toSentence(channel)}</span
      ><span class="took muted"
        >${last ? formatDuration(Date.parse(last.at) - Date.parse(send.received_at)) : ''}</span
      >${icon(DOWN, 'small')}
    </summary>
    <div class="story-body">
      <ol class="timeline">
        ${toSteps(channel, send).map(step => renderStep(step, send.received_at))}
      </ol>
      ${channel.rules?.length ? renderRules(channel.rules) : nothing}
    </div>
  </details>`
}

export const renderStory = (send: SendRecord): TemplateResult =>
  html`<section class="card" aria-label=${text.title}>
    ${send.channels
      .toSorted((a, b) => ORDER.indexOf(a.state) - ORDER.indexOf(b.state))
      .map(channel => renderChannel(channel, send))}
  </section>`
