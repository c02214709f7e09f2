// The sentence of the page: all is well, or what is wrong, what it means, and one main button.

import { html, nothing, type TemplateResult } from 'lit'

import { restingQueues, type QueueState, type Status } from '../api/status.ts'
import { CHECK, icon, WARNING } from '../view/icons.ts'
import { formatDuration } from '../view/time.ts'
import { words } from '../words.ts'

export interface NowActions {
  readonly canOperate: boolean
  pageUrl(page: string): string
  onPause(queue: QueueState): void
  onProbe(queue: QueueState): void
  onResume(queue: QueueState): void
}

const msSince = (at: string, now: string): number => Date.parse(now) - Date.parse(at)

function renderRest(queue: QueueState, status: Status, actions: NowActions): TemplateResult {
  const { fault, waiting } = queue
  const passed = formatDuration(msSince(fault?.since ?? status.at, status.at))
  const probe = status.email.find(one => queue.channel === 'EMAIL' && one.state === 'failed')
  return html`<div class="state" data-tone="bad" role="alert">
    <span class="state-mark">${icon(WARNING)}</span>
    <h1>${words.now.rests(queue, passed)}</h1>
    <p>
      ${words.now.itSays} <span class="mono">${probe?.detail ?? fault?.code}</span>.
      ${words.now.waitSafely(waiting)}<br />${words.now.mend(queue)}
    </p>
    <div class="actions">
      ${
        actions.canOperate
          ? html`<button type="button" class="button main" @click=${() => actions.onProbe(queue)}>
              ${words.now.probe}
            </button>`
          : nothing
      }
      <a class="button" href=${actions.pageUrl(`sends?status=waiting&channel=${queue.channel}`)}
        >${words.now.seeWaiting(waiting)}</a
      >
    </div>
  </div>`
}

function renderDatabase({ database }: Status): TemplateResult {
  return html`<div class="state" data-tone="bad" role="alert">
    <span class="state-mark">${icon(WARNING)}</span>
    <h1>${words.now.databases[database.state]}</h1>
    <p>${words.now.databaseWhy}</p>
  </div>`
}

export function renderState(status: Status, actions: NowActions): TemplateResult {
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
    <h1>${status.attention.length > 0 ? words.now.needsYou(status.attention.length) : words.now.well}</h1>
    <p>${words.now.wellWhy(sending, status)}</p>
  </div>`
}
