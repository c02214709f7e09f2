// The reply to an item: a button, the field that it opens, and the reply that was sent.

import { html, nothing, type TemplateResult } from 'lit/html.js'

import { MAX_REPLY_CHARACTERS, type Notif } from '../../../protocol/index.ts'
import { icon } from '../../../view/icons.ts'
import type { ItemView } from '../../base/inbox-view.ts'
import { renderFailure } from './buttons.ts'
import { GLYPHS } from './glyphs.ts'
import type { RowStates } from './row-state.ts'

/** 5 lines of 20 px, and the padding. */
const MAX_FIELD_PX = 108

/** For browsers without `field-sizing`. */
function grow(field: HTMLTextAreaElement): void {
  if (CSS.supports('field-sizing', 'content')) return
  field.style.blockSize = 'auto'
  field.style.blockSize = `${Math.min(field.scrollHeight, MAX_FIELD_PX)}px`
}

const find = ({ host }: ItemView, id: string, selector: string): HTMLElement | null =>
  (host.renderRoot as ShadowRoot).getElementById(id)?.querySelector(selector) ?? null

async function send(inbox: ItemView, states: RowStates, { id }: Notif): Promise<void> {
  const { draft = '', isSending } = states.get(id)
  const message = draft.trim()
  if (message === '' || isSending) return
  await states.reply(id, { isSending: true, isUnsent: false })
  try {
    await inbox.store?.reply(id, message)
    inbox.readState.markRead(id)
    await states.reply(id, { draft: '', isReplying: false, isSending: false })
  } catch {
    await states.reply(id, { isSending: false, isUnsent: true })
  }
}

export function renderReplyButton(inbox: ItemView, states: RowStates, { id }: Notif): TemplateResult {
  const open = async (): Promise<void> => {
    await states.reply(id, { isReplying: true })
    find(inbox, id, 'textarea')?.focus()
  }
  return html`<button
    class="btn reply-button"
    part="item-action"
    tabindex="-1"
    data-act="reply"
    @click=${open}
  >
    <span>${inbox.messages.reply}</span>
  </button>`
}

export function renderField(inbox: ItemView, states: RowStates, item: Notif): TemplateResult {
  const { id, reply } = item
  const { messages } = inbox
  const { draft = '', isSending = false, isUnsent = false } = states.get(id)
  const isEmpty = draft.trim() === ''
  const onSend = (): void => void send(inbox, states, item)
  const onInput = ({ target }: Event): void => {
    grow(target as HTMLTextAreaElement)
    void states.reply(id, { draft: (target as HTMLTextAreaElement).value, isUnsent: false })
  }
  const onKey = async (event: KeyboardEvent): Promise<void> => {
    event.stopPropagation()
    if (event.isComposing) return
    if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault()
      onSend()
    }
    if (event.key !== 'Escape') return
    // Otherwise the browser closes the panel.
    event.preventDefault()
    await states.reply(id, { isReplying: false })
    find(inbox, id, '.reply-button')?.focus()
  }
  const retry = html`<button @click=${onSend}>${messages.retry}</button>`
  return html`<div
    class="reply"
    @click=${(event: Event) => event.stopPropagation()}
    @keydown=${(event: Event) => event.stopPropagation()}
  >
    <div class="field" part="reply" ?data-bad=${isUnsent}>
      <textarea
        rows="1"
        dir="auto"
        aria-label=${reply?.label ?? messages.reply}
        aria-invalid=${isUnsent ? 'true' : nothing}
        placeholder=${reply?.label ?? messages.reply}
        maxlength=${reply?.max ?? MAX_REPLY_CHARACTERS}
        ?readonly=${isSending}
        .value=${draft}
        @input=${onInput}
        @keydown=${onKey}
      ></textarea>
      ${
        isSending
          ? html`<span class="spin" aria-hidden="true"></span>`
          : html`<button
              class=${isEmpty ? 'icon' : 'icon main'}
              title=${messages.send}
              aria-label=${messages.send}
              aria-disabled=${isEmpty ? 'true' : nothing}
              @click=${onSend}
            >
              ${icon(GLYPHS.send, 'mirror')}
            </button>`
      }
    </div>
    ${
      isUnsent
        ? renderFailure(inbox, retry)
        : html`<p class="hint" role=${isSending ? 'status' : nothing}>
            ${isSending ? messages.sending : isEmpty ? messages.enterSends : messages.enterSendsLines}
          </p>`
    }
  </div>`
}

export const renderSaid = ({ messages }: ItemView, message: string): TemplateResult =>
  html`<p class="said" part="said"><b>${messages.you}</b> <bdi>${message}</bdi></p>`
