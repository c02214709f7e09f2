// What happened when: one line for each channel on a scale that stretches the first seconds.

import { html, nothing, type TemplateResult } from 'lit'

import type { ChannelExplanation, SendRecord } from '../api/sends.ts'
import { channelIcon, channelName } from '../view/channel.ts'
import { sizes } from '../view/sizes.ts'
import { formatDuration, formatSeconds } from '../view/time.ts'
import { sendWords } from '../words/send.ts'

/** Marks of the scale, in milliseconds; equal steps between them. */
const SCALE_MS = [0, 100, 1000, 10_000, 60_000, 600_000, 86_400_000] as const

/** @returns where an instant stands on the scale, from 0 to 1 */
export function toPosition(ms: number): number {
  const steps = SCALE_MS.length - 1
  const index = SCALE_MS.findLastIndex(mark => ms >= mark)
  if (index < 0) return 0
  if (index >= steps) return 1
  const from = SCALE_MS[index]!
  const to = SCALE_MS[index + 1]!
  const part = from === 0 ? ms / to : Math.log(ms / from) / Math.log(to / from)
  return (index + part) / steps
}

type Kind = 'taken' | 'failed' | 'dead' | 'seen'

interface Mark {
  readonly atMs: number
  readonly kind: Kind
  readonly text: string
}

/** Failed attempts, the one that was taken, and what the person did. */
export function toMarks(channel: ChannelExplanation, receivedAt: string): readonly Mark[] {
  const start = Date.parse(receivedAt)
  const since = (at: string): number => Math.max(0, Date.parse(at) - start)
  const marks: Mark[] = channel.deliveries.flatMap(({ attempts, deadLetter }) =>
    attempts.map(({ at, outcome }, index): Mark => {
      const isLast = index === attempts.length - 1
      const kind = outcome === 'sent' ? 'taken' : deadLetter && isLast ? 'dead' : 'failed'
      return { atMs: since(at), kind, text: sendWords.marks[kind] }
    })
  )
  if (channel.deliveries.length === 0 && channel.state === 'sent')
    marks.push({ atMs: 0, kind: 'taken', text: sendWords.marks.taken })
  for (const { at, outcome } of channel.receipts ?? [])
    if (outcome === 'delivered' || outcome === 'answered')
      marks.push({ atMs: since(at), kind: 'taken', text: sendWords.marks.delivered })
  const seen = channel.clickedAt ?? channel.openedAt
  if (seen)
    marks.push({
      atMs: since(seen),
      kind: 'seen',
      text: channel.clickedAt ? sendWords.marks.clicked : sendWords.marks.opened
    })
  return marks.toSorted((a, b) => a.atMs - b.atMs)
}

const toWidth = (percent: number): string => `${percent}%`
const percent = (ms: number): string => `${Math.round(toPosition(ms) * 1000) / 10}%`

function renderTrack(marks: readonly Mark[]): TemplateResult {
  const last = marks.at(-1)
  return html`<div class="track" aria-hidden="true">
    ${marks.map(({ atMs }, index) => {
      const from = marks[index - 1]?.atMs ?? 0
      const width = (toPosition(atMs) - toPosition(from)) * 100
      return html`<i
        class=${index === 0 ? '' : 'wait'}
        ${sizes({ 'inline-size': toWidth(width), 'inset-inline-start': percent(from) })}
      ></i>`
    })}
    ${marks.map(
      ({ atMs, kind }) => html`<u class=${kind} ${sizes({ 'inset-inline-start': percent(atMs) })}></u>`
    )}
    ${
      last
        ? html`<em
            class=${toPosition(last.atMs) > 0.7 ? 'before' : ''}
            ${sizes({ 'inset-inline-start': percent(last.atMs) })}
            >${last.text}, ${formatDuration(last.atMs)}</em
          >`
        : nothing
    }
  </div>`
}

export function renderTrace({ channels, received_at }: SendRecord): TemplateResult | typeof nothing {
  const lines = channels
    .map(channel => ({ channel: channel.channel, marks: toMarks(channel, received_at) }))
    .filter(({ marks }) => marks.length > 0)
  if (lines.length === 0) return nothing
  return html`<section class="card" aria-labelledby="trace">
    <div class="card-head">
      <h2 id="trace">${sendWords.trace}</h2>
      <span class="muted">${sendWords.traceFrom(formatSeconds(received_at))}</span>
    </div>
    <div class="trace">
      ${lines.map(
        ({ channel, marks }) =>
          html`<div class="trace-label">
              ${channelIcon(channel, 'small')}<span>${channelName(channel)}</span
              ><span class="sr"
                >: ${marks.map(({ atMs, text }) => `${text} ${formatDuration(atMs)}`).join(', ')}</span
              >
            </div>
            ${renderTrack(marks)}`
      )}
      <div class="scale" aria-hidden="true">
        ${SCALE_MS.slice(0, -1).map(ms => html`<span>${ms === 0 ? '0' : formatDuration(ms)}</span>`)}
      </div>
    </div>
    <div class="card-foot legend">
      <span><u class="taken"></u>${sendWords.legend.taken}</span
      ><span><u class="failed"></u>${sendWords.legend.failed}</span
      ><span><u class="seen"></u>${sendWords.legend.seen}</span>
    </div>
  </section>`
}
