// `<notif-admin-dead-letters>`: what died of what, and whether it can go again.

import { html, nothing, type TemplateResult } from 'lit'

import {
  dropLetters,
  readCauses,
  readLetters,
  redriveLetters,
  restoreLetters,
  type DeadLetter,
  type DeadLetterCause,
  type DeadLetterFilter
} from '../api/dead-letters.ts'
import { Loader } from '../api/loader.ts'
import { controlTask, createTask, type Task } from '../api/tasks.ts'
import { isChannel } from '../view/channel.ts'
import { problemText, renderBlank, renderBone, renderProblem, renderProblemNote } from '../view/feedback.ts'
import { icon, LINK, SUCCESS } from '../view/icons.ts'
import { orders } from '../view/order.styles.ts'
import { AdminScreen, screenStyles } from '../view/screen.ts'
import { copyFrom } from '../view/status.ts'
import { showToast } from '../view/toast.ts'
import { words } from '../words.ts'
import { deadLetterWords } from '../words/dead-letters.ts'
import { sendsWords } from '../words/sends.ts'
import { askDrop, askRedrive } from './ask.ts'
import { renderCause, type CauseActions, type OpenCause } from './cause.ts'
import { styles } from './dead-letters.styles.ts'
import { readOrders, renderOrders } from './orders.ts'

const REFRESH_MS = 2000
const text = deadLetterWords

const toFilter = ({ channel, code }: Pick<DeadLetterCause, 'channel' | 'code'>): DeadLetterFilter => ({
  code,
  ...(isChannel(channel) && { channel })
})

const toKey = ({ channel, code }: Pick<DeadLetterCause, 'channel' | 'code'>): string => `${channel} ${code}`

/**
 * Dead letters by cause: send again or discard all of a cause, or those that are chosen, with progress.
 *
 * @tagname notif-admin-dead-letters
 * @summary Dead letters by cause, sent again or discarded.
 */
export class NotifAdminDeadLetters extends AdminScreen {
  static override styles = screenStyles(orders, styles)
  protected readonly pageName = 'dead-letters'

  #letters: readonly DeadLetter[] | undefined
  #next: string | undefined
  #chosen: ReadonlySet<string> = new Set()
  #shownKey = ''

  readonly #causes = new Loader<{ readonly groups: readonly DeadLetterCause[] }>(this, {
    intervalMs: REFRESH_MS,
    onValue: ({ groups }) => this.#openFirst(groups),
    read: readCauses
  })
  readonly #tasks = new Loader<readonly Task[]>(this, { intervalMs: REFRESH_MS, read: readOrders })

  /** The open cause, as the address names it; `none` keeps all folded. */
  get #openKey(): string {
    const { search } = this
    return toKey({ channel: search.get('channel') ?? '', code: search.get('code') ?? '' })
  }

  get #actions(): CauseActions {
    return {
      canOrder: this.scope?.can('all') ?? false,
      onChoose: (ids, isChosen) => this.#choose(ids, isChosen),
      onDrop: cause => void this.#drop(cause),
      onMore: () => void this.#readLetters(),
      onRedrive: cause => void this.#redrive(cause),
      onToggle: (cause, isOpen) => this.#toggle(cause, isOpen),
      pageUrl: page => this.pageUrl(page)
    }
  }

  #openFirst(groups: readonly DeadLetterCause[]): void {
    const open = groups.find(cause => toKey(cause) === this.#openKey)
    if (!open) return
    if (this.#shownKey !== this.#openKey) this.#reset(open)
  }

  #toggle(cause: DeadLetterCause, isOpen: boolean): void {
    const isShown = toKey(cause) === this.#openKey
    if (isOpen === isShown) return
    this.setSearch(
      isOpen ? { channel: cause.channel, code: cause.code } : { channel: undefined, code: undefined },
      true
    )
    if (isOpen) this.#reset(cause)
  }

  #reset(cause: DeadLetterCause): void {
    this.#shownKey = toKey(cause)
    this.#letters = this.#next = undefined
    this.#chosen = new Set()
    this.requestUpdate()
    void this.#readLetters()
  }

  async #readLetters(): Promise<void> {
    const key = this.#shownKey
    const [channel = '', ...code] = key.split(' ')
    if (!this.scope) return
    const answer = await readLetters(this.scope, toFilter({ channel, code: code.join(' ') }), this.#next)
    if (key !== this.#shownKey) return
    if (!answer.ok) return showToast({ isFailure: true, text: problemText(answer.problem) })
    this.#letters = [...(this.#letters ?? []), ...answer.value.deadLetters]
    this.#next = answer.value.next
    this.requestUpdate()
  }

  #choose(ids: readonly string[], isChosen: boolean): void {
    const chosen = new Set(this.#chosen)
    for (const id of ids)
      if (isChosen) chosen.add(id)
      else chosen.delete(id)
    this.#chosen = chosen
    this.requestUpdate()
  }

  async #redrive(cause: DeadLetterCause): Promise<void> {
    const ids = [...this.#chosen]
    if (!this.scope || !(await askRedrive(cause, ids.length))) return
    if (ids.length > 0) {
      const answer = await redriveLetters(this.scope, { ids })
      if (!answer.ok) return showToast({ isFailure: true, text: problemText(answer.problem) })
      showToast({ text: text.isRedriven(answer.value.count) })
    } else {
      const answer = await createTask(this.scope, {
        input: { filter: toFilter(cause) },
        kind: 'redrive-dead-letters'
      })
      if (!answer.ok) return showToast({ isFailure: true, text: problemText(answer.problem) })
    }
    await this.#reload(cause)
  }

  async #drop(cause: DeadLetterCause): Promise<void> {
    const ids = [...this.#chosen]
    const { scope } = this
    if (!scope || !(await askDrop(cause, ids.length))) return
    if (ids.length > 0) {
      const answer = await dropLetters(scope, { ids })
      if (!answer.ok) return showToast({ isFailure: true, text: problemText(answer.problem) })
      const undo = async (): Promise<void> => {
        await restoreLetters(scope, answer.value.ids)
        await this.#reload(cause)
      }
      showToast({ onUndo: () => void undo(), text: text.isDropped(answer.value.count) })
    } else {
      const answer = await createTask(scope, {
        input: { filter: toFilter(cause) },
        kind: 'drop-dead-letters'
      })
      if (!answer.ok) return showToast({ isFailure: true, text: problemText(answer.problem) })
      const undo = async (): Promise<void> => {
        await createTask(scope, { input: { taskId: answer.value.id }, kind: 'restore-dead-letters' })
        await this.#reload(cause)
      }
      showToast({ onUndo: () => void undo(), text: text.isDropping })
    }
    await this.#reload(cause)
  }

  async #control(task: Task, action: 'pause' | 'resume' | 'stop'): Promise<void> {
    if (!this.scope) return
    const answer = await controlTask(this.scope, task.id, action)
    if (!answer.ok) showToast({ isFailure: true, text: problemText(answer.problem) })
    await this.#tasks.reload()
  }

  async #reload(cause: DeadLetterCause): Promise<void> {
    await Promise.all([this.#causes.reload(), this.#tasks.reload()])
    this.#reset(cause)
  }

  protected override render(): TemplateResult {
    const { problem, value } = this.#causes
    const canControl = this.scope?.can('all') ?? false
    return html`<div class="wrap">
      <header class="head">
        <div class="head-text">
          <h1>${words.pages['dead-letters']}</h1>
          <p>${text.intro}</p>
        </div>
        <div class="actions">
          <button
            type="button"
            class="button"
            @click=${(event: Event) =>
              void copyFrom(event.currentTarget as HTMLElement, this.pageUrl(`dead-letters?${this.query}`))}
          >
            ${icon(LINK, 'small')}${sendsWords.copyLink}
          </button>
        </div>
      </header>
      ${renderOrders(this.#tasks.value ?? [], {
        canControl,
        onControl: (task, action) => void this.#control(task, action)
      })}
      ${problem && value ? renderProblemNote(problem, () => void this.#causes.reload()) : nothing}
      ${value ? this.#renderCauses(value.groups) : this.#renderMissing()}
    </div>`
  }

  #renderMissing(): TemplateResult | typeof nothing {
    const { hasSkeleton, problem } = this.#causes
    if (problem) return renderProblem(problem, () => void this.#causes.reload())
    return hasSkeleton ? html`<div class="card card-body">${renderBone('xl')}</div>` : nothing
  }

  #renderCauses(groups: readonly DeadLetterCause[]): TemplateResult {
    if (groups.length === 0)
      return html`<div class="card">${renderBlank(SUCCESS, text.none, text.noneWhy)}</div>`
    const open: OpenCause = {
      chosen: this.#chosen,
      hasMore: this.#next !== undefined,
      letters: this.#letters
    }
    return html`<div class="cause-columns" aria-hidden="true">
        <span>${text.cause}</span><span class="number">${text.lettersHead}</span><span>${text.last}</span
        ><span>${text.first}</span><span></span>
      </div>
      <div class="card">
        ${groups.map(cause =>
          renderCause(cause, toKey(cause) === this.#openKey ? open : undefined, this.#actions)
        )}
      </div>`
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'notif-admin-dead-letters': NotifAdminDeadLetters
  }
}
