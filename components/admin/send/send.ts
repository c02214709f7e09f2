// `<notif-admin-send>`: why and why not, when, and what the person saw.

import { html, nothing, type TemplateResult } from 'lit'

import { param } from '../../core/param.ts'
import { Loader } from '../api/loader.ts'
import {
  explainSend,
  readContent,
  readSend,
  resendSend,
  type SendRecord,
  type SentChannelContent
} from '../api/sends.ts'
import { channelName } from '../view/channel.ts'
import { askDialog } from '../view/dialog.ts'
import { problemText, renderBone, renderProblem } from '../view/feedback.ts'
import { CLOCK, COPY, icon, NEXT, RETRY } from '../view/icons.ts'
import type { Keys } from '../view/keys.ts'
import { AdminScreen, screenStyles } from '../view/screen.ts'
import { toSendState } from '../view/send-state.ts'
import { copyFrom, renderId, renderPerson, renderStatus, shortId } from '../view/status.ts'
import { formatAgo, formatSeconds, renderTime } from '../view/time.ts'
import { showToast } from '../view/toast.ts'
import { words } from '../words.ts'
import { sendWords } from '../words/send.ts'
import { renderCode, toCurl } from './code.ts'
import { frameStyles } from './frames.styles.ts'
import { renderFrames } from './frames.ts'
import { styles } from './send.styles.ts'
import { storyStyles } from './story.styles.ts'
import { renderStory } from './story.ts'
import { renderTrace } from './trace.ts'
import { renderVerdict } from './verdict.ts'

/** Until everything is out, the page reads again. */
const REFRESH_MS = 3000

/**
 * One send: what each channel did, every attempt with the provider's own words, and its content as it was sent.
 *
 * @tagname notif-admin-send
 * @summary One send, explained channel by channel.
 */
export class NotifAdminSend extends AdminScreen {
  static override styles = screenStyles(styles, storyStyles, frameStyles)
  protected readonly pageName = 'sends'

  /** Tracking id of the send. */
  @param() trackingId: string | undefined

  readonly #send = new Loader<SendRecord>(this, {
    intervalMs: REFRESH_MS,
    key: () => this.trackingId ?? '',
    read: (scope, signal) => (this.trackingId ? explainSend(scope, this.trackingId, signal) : undefined)
  })
  /** With the request, which an explanation has not. */
  readonly #record = new Loader<SendRecord>(this, {
    key: () => this.trackingId ?? '',
    read: (scope, signal) => (this.trackingId ? readSend(scope, this.trackingId, signal) : undefined)
  })
  readonly #content = new Loader<{ readonly channels: readonly SentChannelContent[] }>(this, {
    key: () => this.trackingId ?? '',
    read: (scope, signal) => (this.trackingId ? readContent(scope, this.trackingId, signal) : undefined)
  })

  protected override get keys(): Keys {
    return [
      { key: 'r', run: () => void this.#resend(), text: sendWords.again },
      { key: 'c', run: () => void navigator.clipboard.writeText(this.trackingId ?? ''), text: words.copyId }
    ]
  }

  async #resend(): Promise<void> {
    const send = this.#send.value
    if (!send || !this.scope?.can('send')) return
    const names = send.channels.map(({ channel }) => channel)
    const withState = (state: string): string[] =>
      send.channels.filter(one => one.state === state).map(({ channel }) => channel)
    // What failed; else what went out, without what a rule left out.
    const offered = [withState('failed'), withState('sent')].find(({ length }) => length > 0) ?? names
    const chosen = (values: FormData): string[] => values.getAll('channel').map(String)
    const values = await askDialog({
      body: () =>
        html`<p>${sendWords.againWhy(send.user_id)}</p>
          ${names.map(
            name =>
              html`<label class="check"
                ><input
                  type="checkbox"
                  name="channel"
                  value=${name}
                  ?checked=${offered.includes(name)}
                />${channelName(name)}</label
              >`
          )}`,
      canConfirm: values => chosen(values).length > 0,
      confirm: values => sendWords.againConfirm(chosen(values).length),
      title: sendWords.againTitle(send.user_id)
    })
    if (!values) return
    const answer = await resendSend(this.scope, send.trackingId, chosen(values))
    if (!answer.ok) return showToast({ isFailure: true, text: problemText(answer.problem) })
    showToast({ text: sendWords.isSent })
    this.navigate(`sends/${answer.value.trackingId}`)
  }

  protected override render(): TemplateResult {
    const { hasSkeleton, problem, value } = this.#send
    return html`<div class="wrap">
      <nav class="crumbs" aria-label=${words.pages.sends}>
        <a href=${this.pageUrl('sends')}>${words.pages.sends}</a>${icon(NEXT, 'mirror')}<span class="mono"
          >${shortId(this.trackingId ?? '')}</span
        >
      </nav>
      ${
        value
          ? this.#renderSend(value)
          : problem
            ? renderProblem(problem, () => void this.#send.reload())
            : html`<div class="head"><h1>${hasSkeleton ? renderBone('l') : sendWords.title}</h1></div>`
      }
    </div>`
  }

  #renderSend(send: SendRecord): TemplateResult {
    const request = this.#record.value?.request
    const { received_at, trackingId, type, user_id } = send
    const user = this.pageUrl(`users/${encodeURIComponent(user_id)}`)
    return html`<header class="head">
        <div class="head-text"><h1>${sendWords.heading(type, user_id)}</h1></div>
        <div class="actions">
          ${
            this.scope?.can('send')
              ? html`<button type="button" class="button" @click=${() => void this.#resend()}>
                  ${icon(RETRY, 'small')}${sendWords.again}
                </button>`
              : nothing
          }
          ${
            request
              ? html`<button
                  type="button"
                  class="button"
                  @click=${(event: Event) =>
                    void copyFrom(event.currentTarget as HTMLElement, toCurl(this.scope!, request))}
                >
                  ${icon(COPY, 'small')}${sendWords.copyCurl}
                </button>`
              : nothing
          }
        </div>
      </header>
      <div class="meta">
        ${renderStatus(toSendState(send))}<span
          >${icon(CLOCK, 'small')}${renderTime(received_at, `${formatAgo(received_at)}, ${formatSeconds(received_at)}`)}</span
        ><a class="link mono" href=${this.pageUrl(`sends?type=${encodeURIComponent(type)}`)}>${type}</a
        ><a href=${user}>${renderPerson(user_id)}</a>${renderId(trackingId, { isWhole: true })}
      </div>
      <div class="columns first">
        <div class="stack">
          ${renderVerdict(send)}${renderTrace(send)}${renderStory(send)}${request ? renderCode(request) : nothing}
        </div>
        ${renderFrames(send, this.#content.value?.channels)}
      </div>`
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'notif-admin-send': NotifAdminSend
  }
}
