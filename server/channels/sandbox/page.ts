// The sandbox page: a list of the messages that the sandbox stored, and one message beside it.

import { html, type Html } from '../../core/html.ts'
import { bubbleTitle, channelName, isBubble } from './message-bubble.ts'
import { readText } from './message-views.ts'
import { renderMessage } from './message.ts'
import { pageLink, renderTime, type PageState } from './page-layout.ts'
import type { SandboxMessage } from './sandbox.sql.ts'

const EMAIL_ICON = html`<svg viewBox="0 0 20 20" aria-hidden="true">
  <rect x="2.75" y="4.25" width="14.5" height="11.5" rx="2" />
  <path d="m3.25 6 5.8 4.35a1.6 1.6 0 0 0 1.9 0L16.75 6" />
</svg>`

const MAX_PREVIEW_CHARACTERS = 200

/** Returns the text without the subject, with which many emails begin. */
function previewText(message: SandboxMessage): string {
  const subject = readText(message, 'subject')
  const text = readText(message, 'text').trim()
  const rest = subject !== '' && text.startsWith(subject) ? text.slice(subject.length) : text
  return rest.trim().slice(0, MAX_PREVIEW_CHARACTERS) || '(no text)'
}

const renderItem = (state: PageState, message: SandboxMessage): Html =>
  html`<li>
    <a
      class="item"
      href="${pageLink(state, {
        m: message.id,
        view: undefined
      })}"
      ${message.id === state.chosen?.id && html` aria-current="true"`}
    >
      <b>${readText(message, 'to')}</b>${renderTime(message.id, 'short')}
      <span
        >${isBubble(message) ? channelName(message) : readText(message, 'subject') || '(no subject)'}</span
      >
      <span class="preview">${previewText(message)}</span></a
    >
  </li>`

const renderList = (state: PageState): Html =>
  state.messages.length === 0
    ? html`<div class="blank">
        ${EMAIL_ICON}<b>${state.user ? 'No messages for this user' : 'No messages yet'}</b>
        <span
          >${state.user ? 'Try another user id.' : 'Messages of channels without a provider appear here.'}</span
        >
      </div>`
    : html`<ul>
          ${state.messages.map(message => renderItem(state, message))}
        </ul>
        ${state.before && html`<a class="more" href="${pageLink(state, { before: undefined, m: undefined })}">Newest</a>`}
        ${state.next && html`<a class="more" href="${pageLink(state, { before: state.next, m: undefined })}">Older</a>`}`

const pageTitle = ({ chosen, isReading }: PageState): string =>
  isReading && chosen
    ? `${isBubble(chosen) ? bubbleTitle(chosen) : readText(chosen, 'subject')} · Sandbox`
    : 'Sandbox'

export const renderPage = (state: PageState): string =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${pageTitle(state)}</title>
        <link rel="stylesheet" href="/sandbox/style.css" />
        <script type="module" src="/sandbox/live.js"></script>
      </head>
      <body class="${state.isReading ? 'reading' : state.messages.length === 0 ? 'none' : 'looking'}">
        <header class="top">
          ${EMAIL_ICON}
          <h1>Sandbox</h1>
          <p class="note">
            These messages were stored, not sent. To send the messages of a channel, configure its provider,
            such as
            <code>NOTIF_SMTP_URL</code>.
          </p>
          <form action="/sandbox">
            <input type="hidden" name="env" value="${state.env}" /><input
              name="user"
              type="search"
              value="${state.user}"
              placeholder="Filter by user id"
              aria-label="Only messages of this user id"
            />
          </form>
        </header>
        <section class="list" aria-label="Messages">${renderList(state)}</section>
        <main class="message">
          ${state.chosen ? renderMessage(state, state.chosen) : html`<div class="blank">Select a message.</div>`}
        </main>
      </body>
    </html>`.text
