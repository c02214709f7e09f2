// One message of the sandbox page, in all its forms.

import { from, string, viewsOf, wayOf, type View } from './forms.ts'
import { html, type Html } from './html.ts'
import { bubbleOf, isTalk, titleOf } from './message-bubble.ts'
import { link, time, type Sheet } from './page-layout.ts'
import type { SandboxMessage } from './sandbox.sql.ts'

const NAMES: Readonly<Record<View, string>> = {
  headers: 'Headers',
  html: 'HTML',
  raw: 'Source',
  text: 'Text'
}

const PREV = html`<svg viewBox="0 0 20 20" aria-hidden="true"><path d="M12 5.75 7.75 10 12 14.25" /></svg>`

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

export function messageOf(sheet: Sheet, message: SandboxMessage): Html {
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
