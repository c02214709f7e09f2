// The card that asks once, on top of the list and never over it, whether this browser shall show notifications.

import { html, type TemplateResult } from 'lit/html.js'

import type { InboxElement } from '../../core/inbox-element.ts'
import { warnInvalid } from '../../core/validate.ts'
import type { Messages } from '../../messages/en.ts'
import type { NotifStore } from '../../store/types.ts'
import { canAskForPush } from '../../transport/web-push.ts'
import { BROWSER, icon } from '../../view/icons.ts'
import { pushPrompt } from './push-prompt.styles.ts'

interface Asking {
  card: (() => unknown) | undefined
  readonly host: InboxElement
  readonly store: Pick<NotifStore, 'setWebPushOptIn'> | undefined
  readonly words: Messages
  attempt(change: Promise<unknown> | undefined): void
}

function cardTemplate(inbox: Asking): TemplateResult {
  const { words } = inbox
  const answer = (on: boolean): void => {
    inbox.card = undefined
    inbox.host.requestUpdate()
    // The button that had the focus is gone.
    inbox.host.renderRoot.querySelector<HTMLElement>('.heading')?.focus()
    inbox.attempt(inbox.store?.setWebPushOptIn(on))
  }
  return html`<section class="push-prompt" part="push-prompt" aria-label=${words.pushPromptTitle}>
    <span class="push-prompt-icon">${icon(BROWSER)}</span>
    <h3>${words.pushPromptTitle}</h3>
    <p>${words.pushPromptText}</p>
    <div class="push-prompt-row">
      <button class="btn main" @click=${() => answer(true)}>${words.pushPromptYes}</button>
      <button class="btn" @click=${() => answer(false)}>${words.pushPromptNo}</button>
    </div>
  </section>`
}

/** Puts the card into the inbox where this browser has not been asked yet. */
export function offer(inbox: Asking): void {
  if (!canAskForPush() || inbox.card) return
  const { renderRoot: root, source } = inbox.host
  const said = source.scope?.webPushOptInMessage ?? ''
  // AUTOMATIC is the word of the product that may have stood here before.
  if (!/^(auto(matic)?|true|)$/i.test(`${said}`))
    warnInvalid(inbox.host, 'webPushOptInMessage', said, 'auto or off')
  const { adoptedStyleSheets: sheets } = root as ShadowRoot
  if (!sheets.includes(pushPrompt.styleSheet!)) sheets.push(pushPrompt.styleSheet!)
  inbox.card = () => cardTemplate(inbox)
  inbox.host.requestUpdate()
}
