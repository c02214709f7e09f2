// Shows one message on the sandbox page, in all its views.

import { html, type Html } from '../../core/html.ts'
import { bubbleTitle, isBubble, renderBubble } from './message-bubble.ts'
import { describeChannel, formatMailbox, listViews, readText, readTexts, type View } from './message-views.ts'
import { pageLink, renderTime, type PageState } from './page-layout.ts'
import type { SandboxMessage } from './sandbox.sql.ts'

const VIEW_NAMES: Readonly<Record<View, string>> = {
  headers: 'Headers',
  html: 'HTML',
  raw: 'Source',
  text: 'Text'
}

const BACK_ICON = html`<svg viewBox="0 0 20 20" aria-hidden="true">
  <path d="M12 5.75 7.75 10 12 14.25" />
</svg>`

interface File {
  readonly filename: string
  readonly bytes: number
}

const formatBytes = (bytes: number): string =>
  bytes < 1000
    ? `${bytes} bytes`
    : bytes < 1_000_000
      ? `${Math.round(bytes / 1000)} kB`
      : `${(bytes / 1_000_000).toFixed(1)} MB`

const renderFact = (name: string, value: string): Html | undefined =>
  value === ''
    ? undefined
    : html`<dt>${name}</dt>
        <dd>${value}</dd>`

function renderView(state: PageState, message: SandboxMessage): Html {
  if (state.view === 'html') {
    const address = `/sandbox/messages/${message.id}/html?env=${encodeURIComponent(state.env)}${state.loadsImages ? '&images=1' : ''}`
    return html`<iframe
      title="The email as HTML"
      sandbox="allow-popups allow-popups-to-escape-sandbox"
      referrerpolicy="no-referrer"
      src="${address}"
    ></iframe>`
  }
  if (state.view === 'headers') {
    const headers = message.message['headers'] as unknown as readonly { name: string; value: string }[]
    return html`<div class="table" tabindex="0">
      <table>
        ${headers.map(
          ({ name, value }) =>
            html`<tr>
              <th scope="row">${name}</th>
              <td>${value}</td>
            </tr>`
        )}
      </table>
    </div>`
  }
  return html`<pre tabindex="0">${readText(message, state.view)}</pre>`
}

const renderBackLink = (state: PageState): Html =>
  html`<a class="back" href="${pageLink(state, { m: undefined, view: undefined })}">${BACK_ICON}Messages</a>`

const renderOrigin = (message: SandboxMessage): Html =>
  html`<dt>Sent</dt>
    <dd>${renderTime(message.id, 'whole')}</dd>
    ${renderFact('User', message.userId)} ${renderFact('Tracking id', message.sendId)}`

const renderBubbleMessage = (state: PageState, message: SandboxMessage): Html =>
  html`${renderBackLink(state)}
    <h2>${bubbleTitle(message)}</h2>
    <dl class="facts">${renderFact('From', readText(message, 'from'))} ${renderOrigin(message)}</dl>
    ${renderBubble(message)}`

export function renderMessage(state: PageState, message: SandboxMessage): Html {
  if (isBubble(message)) return renderBubbleMessage(state, message)
  const views = listViews(message)
  const shown = views.includes(state.view) ? state : { ...state, view: 'text' as const }
  const files = (message.message['attachments'] ?? []) as unknown as readonly File[]
  const renderTab = (view: View): Html =>
    html`<a
      href="${pageLink(state, { m: message.id, view })}"
      ${view === shown.view && html` aria-current="page"`}
      >${VIEW_NAMES[view]}</a
    >`
  return html`${renderBackLink(state)}
    <h2>${readText(message, 'subject') || '(no subject)'}</h2>
    <dl class="facts">
      ${renderFact('From', formatMailbox(message.message['from']))}
      ${renderFact('Channel', describeChannel(message))} ${renderFact('To', readText(message, 'to'))}
      ${renderFact('Link', readText(message, 'url'))} ${renderFact('Cc', readTexts(message, 'cc').join(', '))}
      ${renderFact('Bcc', readTexts(message, 'bcc').join(', '))}
      ${renderFact('Reply to', readTexts(message, 'replyTo').join(', '))} ${renderOrigin(message)}
    </dl>
    ${
      files.length > 0 &&
      html`<ul class="files">
        ${files.map(file => html`<li>${file.filename} <small>${formatBytes(file.bytes)}</small></li>`)}
      </ul>`
    }
    <nav aria-label="Views of the message">
      ${views.map(renderTab)}
      ${shown.view === 'html' && html`<a class="images" href="${pageLink(state, { images: state.loadsImages ? undefined : '1', m: message.id })}">${state.loadsImages ? 'Block pictures' : 'Load pictures'}</a>`}
    </nav>
    ${renderView(shown, message)}`
}
