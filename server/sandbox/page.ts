// The sandbox page: a list of what would have been sent, and one message in all its forms.

import { timeIn } from '../id.ts'
import { html, type Html } from './html.ts'
import type { SandboxMessage } from './store.ts'
import { from, string, viewsOf, wayOf, type View } from './forms.ts'
import { bubbleOf, isTalk, kindOf, titleOf } from './talk.ts'

const NAMES: Readonly<Record<View, string>> = {
  headers: 'Headers',
  html: 'HTML',
  raw: 'Source',
  text: 'Text'
}

export interface Sheet {
  readonly env: string
  readonly user: string
  readonly messages: readonly SandboxMessage[]
  /** Cursor of the next, older page. */
  readonly next: string | undefined
  readonly before: string | undefined
  /** The one to show. */
  readonly chosen: SandboxMessage | undefined
  /** It was asked for; otherwise it is just the newest. */
  readonly reading: boolean
  readonly view: View
  /** Pictures of the mail may be fetched. */
  readonly images: boolean
}

const MAIL = html`<svg viewBox="0 0 20 20" aria-hidden="true">
  <rect x="2.75" y="4.25" width="14.5" height="11.5" rx="2" />
  <path d="m3.25 6 5.8 4.35a1.6 1.6 0 0 0 1.9 0L16.75 6" />
</svg>`
const PREV = html`<svg viewBox="0 0 20 20" aria-hidden="true"><path d="M12 5.75 7.75 10 12 14.25" /></svg>`

/** Milliseconds of a uuidv7. */
const madeAt = (id: string): Date => new Date(timeIn(id))

const time = (id: string, kind: 'short' | 'whole'): Html => {
  const iso = madeAt(id).toISOString()
  const text = kind === 'whole' ? `${iso.slice(0, 16).replace('T', ' ')} UTC` : iso.slice(11, 16)
  return html`<time datetime="${iso}" class="${kind}">${text}</time>`
}

const list = (message: SandboxMessage, key: string): readonly string[] => {
  const value = message.message[key]
  return Array.isArray(value) ? value.filter(one => typeof one === 'string') : []
}

interface File {
  readonly filename: string
  readonly bytes: number
}

const size = (bytes: number): string =>
  bytes < 1000
    ? `${bytes} bytes`
    : bytes < 1_000_000
      ? `${Math.round(bytes / 1000)} kB`
      : `${(bytes / 1_000_000).toFixed(1)} MB`

/** Address of this page with some of its parameters changed; empty ones are left out. */
function link(sheet: Sheet, change: Readonly<Record<string, string | undefined>>): string {
  const { before, env, user, view } = sheet
  const all = { before, env, m: sheet.reading ? sheet.chosen?.id : undefined, user, view, ...change }
  const query = new URLSearchParams()
  for (const [key, value] of Object.entries(all)) if (value) query.set(key, value)
  return `/sandbox?${query}`
}

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

const fact = (name: string, value: string): Html | undefined =>
  value === ''
    ? undefined
    : html`<dt>${name}</dt>
        <dd>${value}</dd>`

function body(sheet: Sheet, message: SandboxMessage): Html {
  if (sheet.view === 'html') {
    const address = `/sandbox/messages/${message.id}/html?env=${encodeURIComponent(sheet.env)}${sheet.images ? '&images=1' : ''}`
    return html`<iframe
      title="The mail as HTML"
      sandbox="allow-popups allow-popups-to-escape-sandbox"
      referrerpolicy="no-referrer"
      src="${address}"
    ></iframe>`
  }
  if (sheet.view === 'headers') {
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
  return html`<pre tabindex="0">${string(message, sheet.view)}</pre>`
}

const back = (sheet: Sheet): Html =>
  html`<a class="back" href="${link(sheet, { m: undefined, view: undefined })}">${PREV}Messages</a>`

const origin = (message: SandboxMessage): Html =>
  html`<dt>Sent</dt>
    <dd>${time(message.id, 'whole')}</dd>
    ${fact('User', message.userId)} ${fact('Tracking id', message.sendId)}`

const talkOf = (sheet: Sheet, message: SandboxMessage): Html =>
  html`${back(sheet)}
    <h2>${titleOf(message)}</h2>
    <dl class="facts">${fact('From', string(message, 'from'))} ${origin(message)}</dl>
    ${bubbleOf(message)}`

function messageOf(sheet: Sheet, message: SandboxMessage): Html {
  if (isTalk(message)) return talkOf(sheet, message)
  const views = viewsOf(message)
  const shown = views.includes(sheet.view) ? sheet : { ...sheet, view: 'text' as const }
  const files = (message.message['attachments'] ?? []) as unknown as readonly File[]
  const tab = (view: View): Html =>
    html`<a
      href="${link(sheet, { m: message.id, view })}"
      ${view === shown.view && html` aria-current="page"`}
      >${NAMES[view]}</a
    >`
  return html`${back(sheet)}
    <h2>${string(message, 'subject') || '(no subject)'}</h2>
    <dl class="facts">
      ${fact('From', from(message.message['from']))} ${fact('Channel', wayOf(message))}
      ${fact('To', string(message, 'to'))} ${fact('Link', string(message, 'url'))}
      ${fact('Cc', list(message, 'cc').join(', '))} ${fact('Bcc', list(message, 'bcc').join(', '))}
      ${fact('Reply to', list(message, 'replyTo').join(', '))} ${origin(message)}
    </dl>
    ${
      files.length > 0 &&
      html`<ul class="files">
        ${files.map(file => html`<li>${file.filename} <small>${size(file.bytes)}</small></li>`)}
      </ul>`
    }
    <nav aria-label="Forms of the message">
      ${views.map(tab)}
      ${shown.view === 'html' && html`<a class="images" href="${link(sheet, { images: sheet.images ? undefined : '1', m: message.id })}">${sheet.images ? 'Block pictures' : 'Load pictures'}</a>`}
    </nav>
    ${body(shown, message)}`
}

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
