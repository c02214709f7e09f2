// Broadcasts that are at work or wait: how far, how fast, and the buttons that pause or stop them.

import { html, nothing, type TemplateResult } from 'lit'

import { isOpenBroadcast, type Broadcast } from '../api/broadcasts.ts'
import { BROADCAST, icon, PAUSE, PLAY, STOP } from '../view/icons.ts'
import { sizes } from '../view/sizes.ts'
import { formatAgo, formatDuration, formatExact } from '../view/time.ts'
import { broadcastWords as text } from '../words/broadcasts.ts'
import { nameAudience, nameBroadcast } from './draft.ts'

export interface UnderWayActions {
  readonly canControl: boolean
  onControl(broadcast: Broadcast, action: 'pause' | 'resume' | 'stop'): void
}

function renderButtons(
  one: Broadcast,
  { canControl, onControl }: UnderWayActions
): TemplateResult | typeof nothing {
  if (!canControl) return nothing
  const isPaused = one.state === 'paused'
  const isBegun = one.startedAt !== undefined
  return html`<span class="actions end"
    >${
      isBegun
        ? html`<button
            type="button"
            class="button"
            @click=${() => onControl(one, isPaused ? 'resume' : 'pause')}
          >
            ${icon(isPaused ? PLAY : PAUSE, 'small')}${isPaused ? text.resume : text.pause}
          </button>`
        : nothing
    }<button type="button" class="button danger" @click=${() => onControl(one, 'stop')}>
      ${icon(STOP, 'small')}${text.stop}
    </button></span
  >`
}

/** When it began or will. */
function describeStart({ createdBy, localTime, schedule, startedAt }: Broadcast): string {
  if (startedAt !== undefined) return text.by(createdBy, formatAgo(startedAt))
  if (localTime !== undefined) return text.waitsLocal(localTime.replace('T', ' '))
  return schedule === undefined ? '' : text.waits(formatExact(schedule))
}

/** Users in a second since it began. A pause makes it slower. */
const rateOf = ({ done, startedAt }: Broadcast, now: number): number =>
  startedAt === undefined ? 0 : (done * 1000) / Math.max(1000, now - Date.parse(startedAt))

function renderOne(one: Broadcast, actions: UnderWayActions, now: number): TemplateResult {
  const { done, failed, leftOut, state, total } = one
  const whole = Math.max(1, total ?? done)
  const rate = rateOf(one, now)
  const name = nameBroadcast(one)
  const share = (part: number) => sizes({ 'inline-size': `${(part / whole) * 100}%` })
  const number = (value: number, word: string) =>
    value > 0 ? html`<span><b>${value.toLocaleString('en')}</b> ${word}</span>` : nothing
  return html`<section class="card order" aria-label=${name}>
    <div class="order-head">
      ${icon(BROADCAST)}<b>${name}</b
      ><span class="muted grow"
        >${text.to(nameAudience(one.to, text.kinds.everyone.toLowerCase()))}, ${describeStart(one)}</span
      >${renderButtons(one, actions)}
    </div>
    <div
      class="meter"
      role="progressbar"
      aria-label=${name}
      aria-valuemin="0"
      aria-valuemax=${whole}
      aria-valuenow=${done}
    >
      <i ${share(done - failed)}></i><i data-tone="bad" ${share(failed)}></i>
    </div>
    <p class="order-numbers">
      ${
        total === undefined
          ? nothing
          : html`<span><b>${done.toLocaleString('en')}</b> ${text.of(total)}</span>`
      }${state === 'running' ? number(Math.round(rate), text.perSecond) : nothing}${number(
        leftOut,
        text.leftOut
      )}${number(failed, text.failed)}${
        state === 'running' && rate > 0 && total !== undefined
          ? html`<span>${text.about(formatDuration(((total - done) / rate) * 1000))}</span>`
          : nothing
      }${state === 'paused' ? html`<span>${text.paused}</span>` : nothing}
    </p>
  </section>`
}

export const renderUnderWay = (
  broadcasts: readonly Broadcast[],
  actions: UnderWayActions,
  now = Date.now()
): readonly TemplateResult[] => broadcasts.filter(isOpenBroadcast).map(one => renderOne(one, actions, now))
