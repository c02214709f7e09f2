// Exports and erasures of a user that the server works on: how far, the button that stops one, and the result.

import { html, nothing, type TemplateResult } from 'lit'

import { isOpenTask, type Task } from '../api/tasks.ts'
import { DOWNLOAD, icon, STOP, TRASH } from '../view/icons.ts'
import { formatBytes } from '../view/number.ts'
import { sizes } from '../view/sizes.ts'
import { formatAgo, renderTime } from '../view/time.ts'
import { userWords } from '../words/users.ts'

const text = userWords.tasks

export interface UserTaskActions {
  readonly canStop: boolean
  onStop(task: Task): void
  onDownload(task: Task): void
}

/** Until when the export can be read; undefined if it cannot. */
function readableUntil({ kind, result, state }: Task): string | undefined {
  const until = result?.['until']
  const isReadable = kind === 'export-user' && state === 'done' && typeof until === 'string'
  return isReadable && Date.parse(until) > Date.now() ? until : undefined
}

const hasFailed = ({ state }: Task): boolean => state === 'failed'

/** Open ones, the newest export, and one that failed if nothing came after it. */
const shownTasks = (tasks: readonly Task[]): readonly Task[] => [
  ...tasks.filter(isOpenTask),
  ...tasks.filter(task => readableUntil(task) !== undefined).slice(0, 1),
  ...tasks.slice(0, 1).filter(hasFailed)
]

function renderButton(
  task: Task,
  { canStop, onDownload, onStop }: UserTaskActions
): TemplateResult | typeof nothing {
  if (!canStop) return nothing
  if (readableUntil(task) !== undefined)
    return html`<button type="button" class="button" @click=${() => onDownload(task)}>
      ${icon(DOWNLOAD, 'small')}${text.download}
    </button>`
  // The server does not stop an erasure that has begun.
  const isStoppable = task.state === 'queued' || (task.state === 'running' && task.kind === 'export-user')
  return isStoppable
    ? html`<button type="button" class="button" @click=${() => onStop(task)}>
        ${icon(STOP, 'small')}${text.stop}
      </button>`
    : nothing
}

function renderProgress({ done, kind, total }: Task): TemplateResult {
  const whole = Math.max(1, total ?? 0, done)
  return html`<div
    class="meter"
    role="progressbar"
    aria-label=${text.title(kind)}
    aria-valuemin="0"
    aria-valuemax=${whole}
    aria-valuenow=${done}
  >
    <i ${sizes({ 'inline-size': `${(done / whole) * 100}%` })}></i>
  </div>`
}

function renderState(task: Task): TemplateResult | string {
  const { createdAt, createdBy, done, error, isTotalAtLeast, result, state, total } = task
  const until = readableUntil(task)
  if (until !== undefined)
    return html`${formatBytes(Number(result?.['bytes']))}, ${text.until}${renderTime(until)}`
  if (state === 'queued') return text.waits
  if (hasFailed(task)) return html`<span class="danger">${error}</span>`
  return `${text.rows(done, total, isTotalAtLeast)}, ${text.by(createdBy, formatAgo(createdAt))}`
}

const renderTask = (task: Task, actions: UserTaskActions): TemplateResult =>
  html`<section class="card task" aria-label=${text.title(task.kind)}>
    <div class="task-head">
      ${icon(task.kind === 'erase-user' ? TRASH : DOWNLOAD)}<b
        >${task.state === 'done' ? text.exported : text.title(task.kind)}</b
      ><span class="muted grow">${renderState(task)}</span>${renderButton(task, actions)}
    </div>
    ${isOpenTask(task) ? renderProgress(task) : nothing}
  </section>`

export const renderTasks = (tasks: readonly Task[], actions: UserTaskActions): readonly TemplateResult[] =>
  shownTasks(tasks).map(task => renderTask(task, actions))
