// What the person saw: an email, a phone, an in-app row, a message.

import { html, nothing, type TemplateResult } from 'lit'
import { ref } from 'lit/directives/ref.js'

import type { ChannelExplanation, SendRecord, SentChannelContent } from '../api/sends.ts'
import { channelIcon, channelName } from '../view/channel.ts'
import { toChannelState } from '../view/send-state.ts'
import { formatAgo, formatClock } from '../view/time.ts'
import { words } from '../words.ts'
import { sendWords } from '../words/send.ts'

type Fields = SentChannelContent['fields']

/** Height of a frame until its content is known. */
const FRAME_MIN_PX = 180
const FRAME_MAX_PX = 640

/** The policy of this page holds in the frame as well and would report each inline style: they wait in what it does not look at. */
const hold = (markup: string): string =>
  markup
    .replaceAll(/(<[a-z][^<>]*?\s)style=/gi, '$1data-style=')
    .replaceAll(/<style\b[^>]*>([^]*?)<\/style>/gi, '<script type="text/css">$1</script>')

/** Styles of the mail through CSSOM, which the policy allows. */
function applyStyles({ contentDocument, contentWindow }: HTMLIFrameElement): void {
  if (!contentDocument || !contentWindow) return
  for (const element of contentDocument.querySelectorAll<HTMLElement>('[data-style]'))
    element.style.cssText = element.dataset['style'] ?? ''
  for (const { textContent } of contentDocument.querySelectorAll('[type="text/css"]')) {
    const sheet = new (contentWindow as Window & typeof globalThis).CSSStyleSheet()
    sheet.replaceSync(textContent ?? '')
    contentDocument.adoptedStyleSheets.push(sheet)
  }
}

/** Not in the types of every library version. */
interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createHTML(markup: string): string }
  ): { createHTML(markup: string): unknown }
}

const policy = (globalThis as { trustedTypes?: TrustedTypes }).trustedTypes?.createPolicy(
  'notif-admin-mail',
  {
    createHTML: markup => markup
  }
)

/** The frame has no scripts, no forms and no top navigation. */
export function fillFrame(element: Element | undefined, markup: string): void {
  if (!(element instanceof HTMLIFrameElement)) return
  const held = hold(markup)
  if (element.srcdoc === held) return
  element.addEventListener('load', () => {
    applyStyles(element)
    const height = element.contentDocument?.documentElement.scrollHeight ?? FRAME_MIN_PX
    element.style.blockSize = `${Math.min(FRAME_MAX_PX, Math.max(FRAME_MIN_PX, height))}px`
  })
  element.srcdoc = (policy?.createHTML(held) ?? held) as string
}

type Recipient = Pick<SendRecord, 'received_at' | 'type' | 'user_id'>

const renderMail = (
  { html: markup, subject, text = '' }: Fields,
  { received_at, user_id }: Recipient
): TemplateResult =>
  html`<div class="mail">
    <div class="mail-head">
      <p><b>${subject ?? ''}</b></p>
      <time>${formatClock(received_at)}</time>
      <p class="muted">${sendWords.to(user_id)}</p>
    </div>
    ${
      markup
        ? html`<iframe
            sandbox="allow-same-origin"
            title=${sendWords.mailFrame}
            ${ref(element => fillFrame(element, markup))}
          ></iframe>`
        : html`<p class="mail-body">${text}</p>`
    }
  </div>`

const renderPhone = ({ message, text, title }: Fields, { received_at, type }: Recipient): TemplateResult =>
  html`<div class="phone">
    <p class="phone-clock">${formatClock(received_at)}</p>
    <div class="push">
      <b>${title ?? type}</b><time>${sendWords.now}</time>
      <p>${message ?? text}</p>
    </div>
  </div>`

const renderRow = ({ body, message, text, title }: Fields, { received_at }: Recipient): TemplateResult =>
  html`<div class="in-app">
    <i></i><b>${title ?? text}</b><time class="muted">${formatAgo(received_at)}</time>
    ${(body ?? message) ? html`<p class="muted">${body ?? message}</p>` : nothing}
  </div>`

const renderBubble = ({ message, text }: Fields): TemplateResult =>
  html`<p class="bubble">${message ?? text}</p>`

/** What the recipient sees, in the frame of its channel. */
export function renderContent(channel: string, fields: Fields, send: Recipient): TemplateResult {
  if (channel === 'EMAIL') return renderMail(fields, send)
  if (channel === 'PUSH' || channel === 'WEB_PUSH') return renderPhone(fields, send)
  return channel === 'INAPP_WEB' ? renderRow(fields, send) : renderBubble(fields)
}

/** What the log keeps, where the server has no rendered content. */
function toLogged(channel: ChannelExplanation): Fields | undefined {
  const content = channel.content ?? channel.deliveries.find(one => one.content)?.content
  return content && { ...content, title: content.subject ?? content.text }
}

export function renderFrames(
  send: SendRecord,
  contents: readonly SentChannelContent[] = []
): TemplateResult | typeof nothing {
  const frames = send.channels.flatMap(channel => {
    const content = contents.find(one => one.channel === channel.channel)
    const fields = content?.fields ?? toLogged(channel)
    return fields && channel.state !== 'discarded' ? [{ channel, content, fields }] : []
  })
  if (frames.length === 0) return nothing
  return html`<aside class="stack" aria-labelledby="seen">
    <div class="section-head">
      <h2 id="seen">${sendWords.seen(send.user_id)}</h2>
      <p>${sendWords.asRendered}</p>
    </div>
    ${frames.map(({ channel, content, fields }) => {
      const state = toChannelState(channel)
      return html`<figure>
        <figcaption>
          ${channelIcon(channel.channel, 'small')}<span>${channelName(channel.channel)}</span
          ><span class=${state === 'failed' ? 'danger' : 'muted'}
            >${state === 'failed' ? sendWords.neverArrived : words.states[state].toLowerCase()}</span
          >
        </figcaption>
        <div class="frame">${renderContent(channel.channel, fields, send)}</div>
        ${content && !content.isExact ? html`<p class="frame-note">${sendWords.notExact}</p>` : nothing}
      </figure>`
    })}
  </aside>`
}
