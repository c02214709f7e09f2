// The sandbox page: a list of what would have been sent, and one message beside it.

import { string } from './forms.ts'
import { html, type Html } from './html.ts'
import { isTalk, kindOf, titleOf } from './message-bubble.ts'
import { messageOf } from './message.ts'
import { link, time, type Sheet } from './page-layout.ts'
import type { SandboxMessage } from './sandbox.sql.ts'

const MAIL = html`<svg viewBox="0 0 20 20" aria-hidden="true">
  <rect x="2.75" y="4.25" width="14.5" height="11.5" rx="2" />
  <path d="m3.25 6 5.8 4.35a1.6 1.6 0 0 0 1.9 0L16.75 6" />
</svg>`
/** How the text goes on: many mails begin with their subject. */
function previewOf(message: SandboxMessage): string {
  const subject = string(message, 'subject')
  const text = string(message, 'text').trim()
  const rest = subject !== '' && text.startsWith(subject) ? text.slice(subject.length) : text
  return rest.trim().slice(0, 200) || '(no text)'
}

const item = (sheet: Sheet, message: SandboxMessage): Html =>
  html`<li>
    <a
      class="item"
      href="${link(sheet, {
        m: message.id,
        view: undefined
      })}"
      ${message.id === sheet.chosen?.id && html` aria-current="true"`}
    >
      <b>${string(message, 'to')}</b>${time(message.id, 'short')}
      <span>${isTalk(message) ? kindOf(message) : string(message, 'subject') || '(no subject)'}</span>
      <span class="preview">${previewOf(message)}</span></a
    >
  </li>`

const listOf = (sheet: Sheet): Html =>
  sheet.messages.length === 0
    ? html`<div class="blank">
        ${MAIL}<b>${sheet.user ? 'Nothing for this user' : 'No messages yet'}</b>
        <span
          >${sheet.user ? 'Try another user id.' : 'What you send by a channel without a provider shows up here at once.'}</span
        >
      </div>`
    : html`<ul>
          ${sheet.messages.map(message => item(sheet, message))}
        </ul>
        ${sheet.before && html`<a class="more" href="${link(sheet, { before: undefined, m: undefined })}">Newest</a>`}
        ${sheet.next && html`<a class="more" href="${link(sheet, { before: sheet.next, m: undefined })}">Older</a>`}`

export const sandboxPage = (sheet: Sheet): string =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>
          ${sheet.reading && sheet.chosen ? `${isTalk(sheet.chosen) ? titleOf(sheet.chosen) : string(sheet.chosen, 'subject')} · Sandbox` : 'Sandbox'}
        </title>
        <link rel="stylesheet" href="/sandbox/style.css" />
        <script type="module" src="/sandbox/live.js"></script>
      </head>
      <body class="${sheet.reading ? 'reading' : sheet.messages.length === 0 ? 'none' : 'looking'}">
        <header class="top">
          ${MAIL}
          <h1>Sandbox</h1>
          <p class="note">
            These messages were kept, not sent. A channel sends for real once it has a provider, such as
            <code>NOTIF_SMTP_URL</code>.
          </p>
          <form action="/sandbox">
            <input type="hidden" name="env" value="${sheet.env}" /><input
              name="user"
              type="search"
              value="${sheet.user}"
              placeholder="Filter by user id"
              aria-label="Only messages of this user id"
            />
          </form>
        </header>
        <section class="list" aria-label="Messages">${listOf(sheet)}</section>
        <main class="message">
          ${sheet.chosen ? messageOf(sheet, sheet.chosen) : html`<div class="blank">Choose a message.</div>`}
        </main>
      </body>
    </html>`.text
