// The exports and erasures that a page of a user ordered or finds: created, read until they end, stopped, and their results.

import type { TemplateResult } from 'lit'

import type { Answer } from '../api/client.ts'
import { Loader, type LoaderHost } from '../api/loader.ts'
import type { Problem } from '../api/problem.ts'
import { isOpenTask, type Task } from '../api/tasks.ts'
import { createUserTask, listUserTasks, saveExport, stopUserTask } from '../api/users.ts'
import { showToast } from '../view/toast.ts'
import { userWords as text } from '../words/users.ts'
import { renderTasks } from './tasks.ts'

const REFRESH_MS = 2000

export interface UserTasksOptions {
  readonly userId: () => string
  readonly fail: (problem: Problem) => void
  /** Leaves the page of a user that is erased. */
  readonly leave: () => void
}

export class UserTasks {
  readonly #host: LoaderHost
  readonly #options: UserTasksOptions
  readonly #tasks: Loader<{ readonly tasks: readonly Task[] }>
  /** The tasks that this page created; it acts when they end. */
  #awaited: ReadonlySet<string> = new Set()

  constructor(host: LoaderHost, options: UserTasksOptions) {
    this.#host = host
    this.#options = options
    const { userId } = options
    this.#tasks = new Loader(host, {
      intervalMs: REFRESH_MS,
      key: userId,
      onValue: ({ tasks }) => tasks.forEach(task => this.#actOnEnd(task)),
      read: (scope, signal) =>
        userId() !== '' && scope.can('users') ? listUserTasks(scope, userId(), signal) : undefined
    })
  }

  async create(kind: 'export-user' | 'erase-user'): Promise<void> {
    const { scope } = this.#host
    if (!scope) return
    const answer = await createUserTask(scope, this.#options.userId(), kind)
    if (!answer.ok) return this.#options.fail(answer.problem)
    this.#awaited = new Set([...this.#awaited, answer.value.id])
    await this.#tasks.reload()
  }

  render(canStop: boolean): readonly TemplateResult[] {
    return renderTasks(this.#tasks.value?.tasks ?? [], {
      canStop,
      onDownload: task => void this.#download(task),
      onStop: task => void this.#stop(task)
    })
  }

  #actOnEnd(task: Task): void {
    if (!this.#awaited.has(task.id) || isOpenTask(task)) return
    this.#awaited = new Set([...this.#awaited].filter(id => id !== task.id))
    if (task.state !== 'done') return
    if (task.kind === 'export-user') return void this.#download(task)
    const removed = (task.result?.['removed'] ?? {}) as Readonly<Record<string, number>>
    const count = Object.values(removed).reduce((sum, rows) => sum + rows, 0)
    showToast({ text: text.erased(this.#options.userId(), count) })
    this.#options.leave()
  }

  async #download({ id }: Task): Promise<void> {
    const { scope } = this.#host
    if (scope) this.#check(await saveExport(scope, this.#options.userId(), id))
  }

  async #stop({ id }: Task): Promise<void> {
    const { scope } = this.#host
    if (!scope) return
    const isStopped = this.#check(await stopUserTask(scope, this.#options.userId(), id))
    if (isStopped) showToast({ text: text.tasks.stopped })
    await this.#tasks.reload()
  }

  #check(answer: Answer<unknown>): boolean {
    if (!answer.ok) this.#options.fail(answer.problem)
    return answer.ok
  }
}
