// Orders that run on the server: what, by whom, how far, and the buttons that pause or stop them.

import { html, nothing, type TemplateResult } from 'lit'

import type { Answer } from '../api/client.ts'
import type { AdminScope } from '../api/scope.ts'
import { isOpenTask, listTasks, readTask, type Task } from '../api/tasks.ts'
import { channelName } from '../view/channel.ts'
import { icon, PAUSE, PLAY, RETRY, STOP, TRASH } from '../view/icons.ts'
import { sizes } from '../view/sizes.ts'
import { formatAgo, formatDuration } from '../view/time.ts'
import { deadLetterWords } from '../words/dead-letters.ts'

const text = deadLetterWords.orders

/** Ended ones are shown for this long. */
const RECENT_MS = 60_000

/** Orders about dead letters that are open, or ended a moment ago. */
const shownOrders = (tasks: readonly Task[]): readonly Task[] =>
  tasks.filter(
    task =>
      task.kind.endsWith('-dead-letters') &&
      (isOpenTask(task) || Date.now() - Date.parse(task.endedAt ?? task.createdAt) < RECENT_MS)
  )

/** The shown orders, each with how many died again, which a list does not say. */
export async function readOrders(scope: AdminScope, signal: AbortSignal): Promise<Answer<readonly Task[]>> {
  const answer = await listTasks(scope, signal)
  if (!answer.ok) return answer
  const value = await Promise.all(
    shownOrders(answer.value.tasks).map(async task => {
      const whole = task.kind.startsWith('redrive') ? await readTask(scope, task.id, signal) : undefined
      return whole?.ok ? whole.value : task
    })
  )
  return { ...answer, value }
}

export interface OrderActions {
  readonly canControl: boolean
  onControl(task: Task, action: 'pause' | 'resume' | 'stop'): void
}

function renderButtons(task: Task, { canControl, onControl }: OrderActions): TemplateResult | typeof nothing {
  if (!canControl || !isOpenTask(task)) return nothing
  const isPaused = task.state === 'paused'
  return html`<span class="actions end"
    ><button type="button" class="button" @click=${() => onControl(task, isPaused ? 'resume' : 'pause')}>
      ${icon(isPaused ? PLAY : PAUSE, 'small')}${isPaused ? text.resume : text.pause}</button
    ><button type="button" class="button" @click=${() => onControl(task, 'stop')}>
      ${icon(STOP, 'small')}${text.stop}
    </button></span
  >`
}

function renderOrder(task: Task, actions: OrderActions): TemplateResult {
  const { createdAt, createdBy, done, failed = 0, input, kind, perSecond, state, total } = task
  const { channel = '', code = '' } = (input['filter'] ?? {}) as { channel?: string; code?: string }
  const whole = Math.max(1, total ?? done)
  const left = total === undefined ? undefined : Math.max(0, total - done)
  const share = (part: number): Readonly<Record<string, string>> => ({
    'inline-size': `${(part / whole) * 100}%`
  })
  return html`<section class="card order" aria-label=${text.title(kind, total ?? done)}>
    <div class="order-head">
      ${icon(kind.startsWith('drop') ? TRASH : RETRY)}<b>${text.title(kind, total ?? done)}</b
      ><span class="muted grow"
        >${channel ? `${channelName(channel)}, ` : nothing}${code ? html`<span class="mono">${code}</span>, ` : nothing}${text.by(
          createdBy,
          formatAgo(createdAt)
        )}</span
      >${renderButtons(task, actions)}
    </div>
    <div
      class="meter"
      role="progressbar"
      aria-label=${text.title(kind, total ?? done)}
      aria-valuemin="0"
      aria-valuemax=${whole}
      aria-valuenow=${done}
    >
      <i ${sizes(share(done - failed))}></i><i data-tone="bad" ${sizes(share(failed))}></i>
    </div>
    <p class="order-numbers">
      <span><b>${done - failed}</b> ${text.went(kind)}</span
      >${failed > 0 ? html`<span><b>${failed}</b> ${text.diedAgain}</span>` : nothing}${
        isOpenTask(task) && left !== undefined
          ? html`<span
              ><b>${left}</b> ${text.toGo}${
                state === 'running'
                  ? text.about(formatDuration((left / perSecond) * 1000), perSecond)
                  : nothing
              }</span
            >`
          : nothing
      }${state === 'running' ? nothing : html`<span>${text.states[state]}</span>`}${
        task.error ? html`<span class="danger">${task.error}</span>` : nothing
      }
    </p>
  </section>`
}

export const renderOrders = (tasks: readonly Task[], actions: OrderActions): readonly TemplateResult[] =>
  shownOrders(tasks).map(task => renderOrder(task, actions))
