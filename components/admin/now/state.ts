// The sentence of the page: all is well, or what is wrong, what it means, and one main button.

import { html, nothing, type TemplateResult } from 'lit'

import { restingQueues, type DeliveryQueue, type EnvironmentStatus } from '../api/status.ts'
import { CHECK, icon, WARNING } from '../view/icons.ts'
import { formatDuration } from '../view/time.ts'
import { nowWords } from '../words/now.ts'

export interface NowActions {
  readonly canOperate: boolean
  pageUrl(page: string): string
  onPause(queue: DeliveryQueue): void
  onProbe(queue: DeliveryQueue): void
  onResume(queue: DeliveryQueue): void
}

const msSince = (at: string, now: string): number => Date.parse(now) - Date.parse(at)

function renderRest(queue: DeliveryQueue, status: EnvironmentStatus, actions: NowActions): TemplateResult {
  const { fault, waiting } = queue
  const passed = formatDuration(msSince(fault?.since ?? status.at, status.at))
  const probe = status.email.find(one => queue.channel === 'EMAIL' && one.state === 'failed')
  return html`<div class="state" data-tone="bad" role="alert">
    <span class="state-mark">${icon(WARNING)}</span>
    <h1>${nowWords.rests(queue, passed)}</h1>
    <p>
      ${nowWords.itSays} <span class="mono">${probe?.detail ?? fault?.code}</span>.
      ${nowWords.waitSafely(waiting)}<br />${nowWords.mend(queue)}
    </p>
    <div class="actions">
      ${
        actions.canOperate
          ? html`<button type="button" class="button main" @click=${() => actions.onProbe(queue)}>
              ${nowWords.probe}
            </button>`
          : nothing
      }
      <a class="button" href=${actions.pageUrl(`sends?status=waiting&channel=${queue.channel}`)}
        >${nowWords.seeWaiting(waiting)}</a
      >
    </div>
  </div>`
}

function renderDatabase({ database }: EnvironmentStatus): TemplateResult {
  return html`<div class="state" data-tone="bad" role="alert">
    <span class="state-mark">${icon(WARNING)}</span>
    <h1>${nowWords.databases[database.state]}</h1>
    <p>${nowWords.databaseWhy}</p>
  </div>`
}

export function renderState(status: EnvironmentStatus, actions: NowActions): TemplateResult {
  if (status.database.state !== 'ok') return renderDatabase(status)
  const [worst] = [...restingQueues(status)].sort((a, b) => b.waiting.count - a.waiting.count)
  if (worst) return renderRest(worst, status, actions)
  const running = status.queues.filter(({ state }) => state === 'running')
  // And in-app, which needs no queue.
  const sending = new Set(running.map(({ channel }) => channel)).size + 1
  return html`<div class="state">
    <span class="state-mark" data-tone=${status.attention.length > 0 ? 'warning' : 'good'}
      >${icon(status.attention.length > 0 ? WARNING : CHECK)}</span
    >
    <h1>${status.attention.length > 0 ? nowWords.needsYou(status.attention.length) : nowWords.well}</h1>
    <p>${nowWords.wellWhy(sending, status)}</p>
  </div>`
}
