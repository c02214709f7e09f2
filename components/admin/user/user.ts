// `<notif-admin-user>`: can we reach this user, what did she choose, what waits, what does she see.

import { html, nothing, type TemplateResult } from 'lit'

import { param } from '../../core/param.ts'
import { Loader } from '../api/loader.ts'
import { listTypes } from '../api/people.ts'
import { deleteSchedule } from '../api/schedules.ts'
import { querySends } from '../api/sends.ts'
import {
  correctUser,
  endPause,
  readInbox,
  readOverview,
  readUser,
  setPreference,
  type Delivery,
  type User,
  type UserOverview,
  type Waiting
} from '../api/users.ts'
import { channelName } from '../view/channel.ts'
import { askDialog } from '../view/dialog.ts'
import { problemText, renderProblem, renderProblemNote } from '../view/feedback.ts'
import { AdminScreen, screenStyles } from '../view/screen.ts'
import { showToast } from '../view/toast.ts'
import { userWords as text } from '../words/users.ts'
import { askCorrection, renderContacts, renderDevices, renderQuiet } from './contact.ts'
import { renderHead, renderSends, renderTrouble } from './head.ts'
import { loadFeed, renderInbox } from './inbox.ts'
import { renderPreferences, renderWaiting, type Choose } from './preferences.ts'
import { UserTasks } from './user-tasks.ts'
import { styles } from './user.styles.ts'
import { AdminWhatIf } from './what-if.ts'

const REFRESH_MS = 10_000
const RECENT = 5

/**
 * One user: contacts, devices, what applies to her and who said so, her inbox, what waits, what would happen.
 *
 * @tagname notif-admin-user
 * @summary One user: contacts, devices, preferences, inbox, what waits.
 */
export class NotifAdminUser extends AdminScreen {
  static override styles = screenStyles(styles)
  protected readonly pageName = 'users'

  /** Id of the user. */
  @param() userId: string | undefined
  #hasFeed = false
  readonly #overview = new Loader<UserOverview>(this, {
    intervalMs: REFRESH_MS,
    key: () => this.userId ?? '',
    read: (scope, signal) => (this.userId ? readOverview(scope, this.userId, signal) : undefined)
  })
  readonly #user = new Loader<User>(this, {
    key: () => this.userId ?? '',
    read: (scope, signal) => (this.userId ? readUser(scope, this.userId, signal) : undefined)
  })
  readonly #inbox = new Loader(this, {
    intervalMs: REFRESH_MS,
    key: () => this.userId ?? '',
    read: (scope, signal) => (this.userId ? readInbox(scope, this.userId, signal) : undefined)
  })
  readonly #sends = new Loader(this, {
    intervalMs: REFRESH_MS,
    key: () => this.userId ?? '',
    read: (scope, signal) =>
      this.userId ? querySends(scope, { limit: RECENT, userFilter: [this.userId] }, null, signal) : undefined
  })
  readonly #types = new Loader(this, { read: listTypes })
  readonly #tasks = new UserTasks(this, {
    fail: problem => this.#fail(problem),
    leave: () => this.navigate('users'),
    userId: () => this.userId ?? ''
  })

  async #loadFeed(): Promise<void> {
    await this.updateComplete
    await loadFeed(this.renderRoot)
    this.#hasFeed = true
    this.requestUpdate()
  }

  override connectedCallback(): void {
    super.connectedCallback()
    if (!customElements.get('notif-admin-what-if')) customElements.define('notif-admin-what-if', AdminWhatIf)
    void this.#loadFeed()
  }

  async #correct(user: User): Promise<void> {
    const change = await askCorrection(user)
    if (!change || !this.scope) return
    const answer = await correctUser(this.scope, user.id, change)
    if (!answer.ok) return this.#fail(answer.problem)
    showToast({ text: text.saved })
    await Promise.all([this.#user.reload(), this.#overview.reload()])
  }

  async #erase(id: string): Promise<void> {
    const values = await askDialog({
      body: () =>
        html`<p>${text.eraseWhy}</p>
          <p>${text.eraseStays}</p>
          <label class="field"
            ><span>${text.eraseType(id)}</span><input class="input mono" name="id" autocomplete="off"
          /></label>`,
      canConfirm: form => form.get('id') === id,
      confirm: text.eraseConfirm,
      title: text.eraseTitle(id),
      tone: 'destroy'
    })
    if (!values || !this.scope) return
    await this.#tasks.create('erase-user')
  }

  async #drop({ id, type }: Waiting): Promise<void> {
    const isSure = await askDialog({
      body: () => text.dropScheduleWhy,
      confirm: text.dropSchedule,
      title: text.dropScheduleTitle(type ?? ''),
      tone: 'destroy'
    })
    if (!isSure || !this.scope) return
    const answer = await deleteSchedule(this.scope, id)
    if (!answer.ok) return this.#fail(answer.problem)
    showToast({ text: text.dropped })
    await this.#overview.reload()
  }

  readonly #choose: Choose = async ({ id, subId, title }, channel, delivery) => {
    if (!this.scope || !this.userId) return
    const answer = await setPreference(this.scope, this.userId, {
      channel,
      delivery: delivery === '' ? null : (delivery as Delivery),
      notificationId: id,
      ...(subId !== undefined && { subNotificationId: subId })
    })
    await this.#overview.reload()
    if (!answer.ok) return this.#fail(answer.problem)
    const [ignored] = answer.value.messages
    showToast(
      ignored ? { isFailure: true, text: ignored } : { text: text.chosen(title, channelName(channel)) }
    )
  }

  async #endPause(): Promise<void> {
    if (!this.scope || !this.userId) return
    const answer = await endPause(this.scope, this.userId)
    await this.#overview.reload()
    if (answer.ok) showToast({ text: text.pauseEnded })
    else this.#fail(answer.problem)
  }

  readonly #fail = (problem: Parameters<typeof problemText>[0]): void =>
    showToast({ isFailure: true, text: problemText(problem) })

  protected override render(): TemplateResult {
    const id = this.userId ?? ''
    const { problem, value } = this.#overview
    const inbox = this.#inbox.value
    const canEdit = this.scope?.can('users') ?? false
    const { problem: userProblem, value: user } = this.#user
    if (userProblem && !user) return renderProblem(userProblem, () => this.#user.reload())
    return html`<div class="wrap">
      ${renderHead({
        id,
        onErase: () => void this.#erase(id),
        onExport: () => void this.#tasks.create('export-user'),
        pageUrl: page => this.pageUrl(page),
        scope: this.scope,
        user
      })}
      ${this.#tasks.render(canEdit)}
      ${problem ? renderProblemNote(problem, () => this.#overview.reload()) : nothing}
      ${value ? renderTrouble(id, value, page => this.pageUrl(page)) : nothing}
      <div class="columns">
        <div class="stack">
          <notif-admin-what-if
            .scope=${this.scope}
            .types=${this.#types.value?.notifications ?? []}
            .userId=${id}
          ></notif-admin-what-if>
          ${value ? renderPreferences(value, canEdit ? this.#choose : undefined) : nothing}${renderSends(id, this.#sends.value?.logs, page => this.pageUrl(page))}${
            value
              ? renderWaiting(value, {
                  canDrop: this.scope?.can('send') ?? false,
                  onDrop: one => void this.#drop(one)
                })
              : nothing
          }
        </div>
        <aside class="stack" aria-label=${text.contact}>
          ${user ? renderContacts(user, canEdit ? () => void this.#correct(user) : undefined) : nothing}
          ${value ? html`${renderDevices(value)}${renderQuiet(value, canEdit ? () => void this.#endPause() : undefined)}` : nothing}
          ${inbox && this.#hasFeed ? renderInbox(id, inbox.items, inbox.counts.unopened) : nothing}
        </aside>
      </div>
    </div>`
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'notif-admin-user': NotifAdminUser
  }
}
