// `<notif-admin-first-run>`: the first steps: copy curl, see the send arrive, look why, put the bell into a page.

import { html, nothing, type TemplateResult } from 'lit'

import { Loader } from '../api/loader.ts'
import { querySends } from '../api/sends.ts'
import { readFirstSteps, type FirstStep } from '../api/status.ts'
import { readInbox } from '../api/users.ts'
import { loadFeed, renderFeed } from '../user/inbox.ts'
import { ARROW, CHECK, COPY, icon, MAIL, MOBILE, SLACK, SMS } from '../view/icons.ts'
import { AdminScreen, screenStyles } from '../view/screen.ts'
import { toSendState } from '../view/send-state.ts'
import { copyFrom, renderStatus } from '../view/status.ts'
import { formatSeconds, renderTime } from '../view/time.ts'
import { words } from '../words.ts'
import { firstRunWords } from '../words/first-run.ts'
import { settingWords } from '../words/settings.ts'
import { styles } from './first-run.styles.ts'

const REFRESH_MS = 1500
const SHOWN = 5
/** The user of the example. */
const USER = 'you'
const text = firstRunWords

const renderCode = (code: string, label: string): TemplateResult =>
  html`<div class="code" role="group" aria-label=${label}>
    <pre>${code}</pre>
    <button
      type="button"
      class="copy"
      @click=${(event: MouseEvent) => void copyFrom(event.currentTarget as HTMLElement, code)}
    >
      ${icon(COPY, 'small')}${settingWords.copy}
    </button>
  </div>`

/**
 * First steps of an environment: a send from the shell that appears live, and why it went where.
 *
 * @tagname notif-admin-first-run
 * @summary First steps: a send from the shell that appears live.
 */
export class NotifAdminFirstRun extends AdminScreen {
  static override styles = screenStyles(styles)
  protected readonly pageName = 'first-run'

  #hasFeed = false
  readonly #steps = new Loader(this, { intervalMs: REFRESH_MS, read: readFirstSteps })
  readonly #sends = new Loader(this, {
    intervalMs: REFRESH_MS,
    read: (scope, signal) => querySends(scope, { limit: SHOWN }, null, signal)
  })
  readonly #inbox = new Loader(this, {
    intervalMs: REFRESH_MS,
    read: (scope, signal) => readInbox(scope, this.#userId, signal)
  })

  get #userId(): string {
    return this.#sends.value?.logs[0]?.user_id ?? USER
  }

  async #loadFeed(): Promise<void> {
    await this.updateComplete
    await loadFeed(this.renderRoot)
    this.#hasFeed = true
    this.requestUpdate()
  }

  override connectedCallback(): void {
    super.connectedCallback()
    void this.#loadFeed()
  }

  #find(id: FirstStep['id']): FirstStep | undefined {
    return this.#steps.value?.steps.find(step => step.id === id)
  }

  /** @param state - `done`, `now` or `next` */
  #renderStep(
    number: number,
    state: string,
    title: string,
    why: string,
    content: unknown = nothing
  ): TemplateResult {
    return html`<li data-state=${state}>
      <span class="number-mark" aria-hidden="true">${state === 'done' ? icon(CHECK, 'small') : number}</span>
      <div>
        <h2>${state === 'done' ? html`<span class="spoken">${text.done}</span>` : nothing}${title}</h2>
        <p>${why}</p>
        ${content}
      </div>
    </li>`
  }

  #renderSteps(base: string, clientId: string): TemplateResult {
    const send = this.#sends.value?.logs[0]
    const isSent = send !== undefined
    const hasBell = this.#find('inbox')?.isDone ?? false
    const hasProvider = this.#find('provider')?.isDone ?? false
    const curl = `curl ${base}/${clientId}/sender \\
  -u ${clientId}:$NOTIF_CLIENT_SECRET \\
  -H 'content-type: application/json' \\
  -d '{ "type": "hello", "to": { "id": "${USER}" },
        "inapp": { "title": "It works" } }'`
    const script = `<script type="module" src="${base}/notif.js"
  data-client-id="${clientId}" data-user-id="${USER}"></script>
<notif-popup></notif-popup>`
    const done = (isDone: boolean, otherwise: string): string => (isDone ? 'done' : otherwise)
    return html`<ol class="steps">
      ${this.#renderStep(1, 'done', text.runs, text.runsWhy(clientId))}
      ${this.#renderStep(2, done(isSent, 'now'), text.send, text.sendWhy, renderCode(curl, text.send))}
      ${this.#renderStep(3, done(isSent, 'next'), text.see, isSent ? text.seen : text.seeWhy)}
      ${this.#renderStep(
        4,
        isSent ? 'now' : 'next',
        text.ask,
        text.askWhy,
        isSent
          ? html`<div class="actions">
              <a class="button main" href=${this.pageUrl(`sends/${send.trackingId}`)}
                >${text.lookWhy}${icon(ARROW, 'small mirror')}</a
              >
            </div>`
          : nothing
      )}
      ${this.#renderStep(5, done(hasBell, 'next'), text.bell, text.bellWhy, renderCode(script, text.bell))}
      ${this.#renderStep(
        6,
        done(hasProvider, 'next'),
        text.channels,
        text.channelsWhy,
        html`<div class="actions">
          ${(
            [
              [MAIL, words.channels.EMAIL],
              [SMS, words.channels.SMS],
              [MOBILE, words.channels.PUSH],
              [SLACK, words.channels.SLACK]
            ] as const
          ).map(
            ([path, name]) =>
              html`<a class="button" href=${this.pageUrl('settings?section=providers')}
                >${icon(path, 'small')}${name}</a
              >`
          )}
        </div>`
      )}
    </ol>`
  }

  #renderLive(): TemplateResult {
    const sends = this.#sends.value?.logs ?? []
    const inbox = this.#inbox.value
    return html`<aside class="stack" aria-label=${text.live}>
      <section class="card" aria-live="polite">
        <div class="card-head">
          <i class="dot"></i>
          <h2>${text.live}</h2>
        </div>
        ${
          sends.length === 0
            ? html`<p class="card-body muted">${text.waits}</p>`
            : html`<table class="table hovers">
                <tbody>
                  ${sends.map(
                    send =>
                      html`<tr>
                        <td class="nowrap muted">
                          ${renderTime(send.received_at, formatSeconds(send.received_at))}
                        </td>
                        <td>
                          <a class="cover mono" href=${this.pageUrl(`sends/${send.trackingId}`)}
                            >${send.type}</a
                          >
                        </td>
                        <td>${renderStatus(toSendState(send))}</td>
                      </tr>`
                  )}
                </tbody>
              </table>`
        }
      </section>
      ${
        inbox && this.#hasFeed
          ? html`<section class="card">
              <div class="card-head"><h2>${text.inbox(this.#userId)}</h2></div>
              <div class="card-body">${renderFeed(inbox.items)}</div>
            </section>`
          : nothing
      }
    </aside>`
  }

  protected override render(): TemplateResult {
    const { scope } = this
    return html`<div class="wrap">
      <header class="head">
        <div class="head-text">
          <h1>${text.title}</h1>
          <p>${text.intro}</p>
        </div>
      </header>
      <div class="columns">
        ${scope ? this.#renderSteps(scope.operators.base, scope.clientId) : nothing}${this.#renderLive()}
      </div>
    </div>`
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'notif-admin-first-run': NotifAdminFirstRun
  }
}
