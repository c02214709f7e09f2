// One row for each channel: what goes out, what waits, and its state. Those that rest come first. The counts are of the last hour, of a
// day or of a week; the state is that of now.

import { html, nothing, type TemplateResult } from 'lit'

import type { ChannelCounts, DeliveryQueue, EnvironmentStatus } from '../api/status.ts'
import { CHANNELS, channelIcon, channelName, type Channel } from '../view/channel.ts'
import { renderSpark } from '../view/chart.ts'
import { icon, PAUSE, PLAY } from '../view/icons.ts'
import { formatCount } from '../view/number.ts'
import { renderStatus, type State } from '../view/status.ts'
import { formatClock, formatDuration } from '../view/time.ts'
import { nowWords } from '../words/now.ts'
import { renderSpans, toCounts, type ChannelView, type Counts } from './span.ts'
import type { NowActions } from './state.ts'

const text = nowWords.channels

/** In-app needs no queue; mobile push has two. */
interface Lane {
  readonly channel: Channel
  readonly queue?: DeliveryQueue
  /** Of the last hour. */
  readonly rate?: ChannelCounts | undefined
  readonly counts: Counts
}

/** More than this share refused is worth a look. */
const MANY_REFUSED = 0.1
const MANY_REFUSED_MIN = 10

const isRefused = ({ rate }: Lane): boolean => {
  const { failed = 0, sent = 0 } = rate?.total ?? {}
  return failed >= MANY_REFUSED_MIN && failed / (failed + sent) > MANY_REFUSED
}

function toState(lane: Lane): State {
  switch (lane.queue?.state) {
    case 'provider-failing':
      return 'resting'
    case 'paused':
      return 'paused'
    case 'sandbox':
      return 'sandbox'
    default:
      return isRefused(lane) ? 'refused' : 'sending'
  }
}

function toLanes(status: EnvironmentStatus, view: ChannelView): readonly Lane[] {
  const { channels, queues } = status
  const lanes = CHANNELS.flatMap((channel): readonly Lane[] => {
    const counts = toCounts(channel, status, view)
    const rate = channels.find(one => one.channel === channel)
    const own = queues.filter(one => one.channel === channel)
    return own.length > 0 ? own.map(queue => ({ channel, counts, queue, rate })) : [{ channel, counts, rate }]
  })
  return lanes.toSorted((a, b) => Number(toState(b) === 'resting') - Number(toState(a) === 'resting'))
}

function toWhy({ queue, rate }: Lane, state: State): TemplateResult | string {
  switch (state) {
    case 'resting':
      return html`<span class="mono">${queue?.fault?.code}</span>,
        ${text.nextProbe(formatClock(queue?.fault?.until ?? Date.now()))}`
    case 'paused':
      return text.pausedBy(queue?.paused?.by ?? '', queue?.paused?.until && formatClock(queue.paused.until))
    case 'sandbox':
      return text.sandbox
    case 'refused':
      return text.refused(rate?.total.failed ?? 0, (rate?.total.sent ?? 0) + (rate?.total.failed ?? 0))
    default: {
      const { sent = [] } = rate ?? {}
      const last = sent.findLastIndex(count => count > 0)
      return last < 0 ? text.nothingYet : text.lastOne(sent.length - 1 - last)
    }
  }
}

function renderAction({ channel, queue }: Lane, state: State, actions: NowActions): unknown {
  if (!queue || !actions.canOperate) return nothing
  if (state === 'resting')
    return html`<button type="button" class="button" @click=${() => actions.onProbe(queue)}>
      ${nowWords.probe}
    </button>`
  if (state === 'paused')
    return html`<button type="button" class="button" @click=${() => actions.onResume(queue)}>
      ${icon(PLAY, 'small')}${nowWords.resume}
    </button>`
  if (state === 'sandbox')
    return html`<a class="button" href=${actions.pageUrl('settings?section=providers')}>${text.setUp}</a>`
  return html`<button
    type="button"
    class="icon-button"
    title=${text.pause(channelName(channel))}
    @click=${() => actions.onPause(queue)}
  >
    ${icon(PAUSE, 'small')}
  </button>`
}

function renderLane(lane: Lane, actions: NowActions): TemplateResult {
  const { channel, counts, queue } = lane
  const state = toState(lane)
  const late = queue?.oldestDueSeconds
  return html`<tr role="row" data-tone=${state === 'resting' ? 'bad' : nothing}>
    <th role="rowheader" scope="row" class="l-name">
      <span class="lane-name"
        >${channelIcon(channel)}<b>${channelName(channel)}</b
        ><span class="clip">${queue ? nowWords.provider(queue) : text.thisServer}</span></span
      >
    </th>
    <td role="cell" class="l-spark">${renderSpark(counts.sent)}</td>
    <td role="cell" class="number l-minute">
      ${state === 'sandbox' && !counts.sent ? '–' : counts.perMinute}
    </td>
    <td role="cell" class="number l-rate">${counts.delivered}</td>
    <td role="cell" class="number l-late">
      ${
        late === undefined
          ? '–'
          : html`<span class=${state === 'resting' ? 'danger' : ''}>${formatDuration(late * 1000)}</span>`
      }
    </td>
    <td role="cell" class="number l-wait">${queue ? formatCount(queue.waiting) : 0}</td>
    <td role="cell" class="l-state">${renderStatus(state)}<span class="why">${toWhy(lane, state)}</span></td>
    <td role="cell" class="number l-action">${renderAction(lane, state, actions)}</td>
  </tr>`
}

export const renderChannels = (
  status: EnvironmentStatus,
  view: ChannelView,
  actions: NowActions
): TemplateResult =>
  html`<section class="section" aria-labelledby="channels">
    <div class="section-head">
      <h2 id="channels">${text.title}</h2>
      <p>${text.intro}</p>
      ${renderSpans(view)}
    </div>
    <div class="card">
      <table class="table lanes" role="table">
        <thead role="rowgroup">
          <tr role="row">
            <th role="columnheader" scope="col">${text.channel}</th>
            <th role="columnheader" scope="col">${text.taken}</th>
            <th role="columnheader" scope="col" class="number">
              ${view.span === '1h' ? text.minute : text.average}
            </th>
            <th role="columnheader" scope="col" class="number">${text.delivered}</th>
            <th role="columnheader" scope="col" class="number">${text.late}</th>
            <th role="columnheader" scope="col" class="number">${text.waiting}</th>
            <th role="columnheader" scope="col">${text.state}</th>
            <td role="cell"></td>
          </tr>
        </thead>
        <tbody role="rowgroup">
          ${toLanes(status, view).map(lane => renderLane(lane, actions))}
        </tbody>
      </table>
    </div>
  </section>`
