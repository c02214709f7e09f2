// The prompt for web push: asks once, above the rows, whether this browser shows notifications.

import { html, type TemplateResult } from 'lit/html.js'

import { warnInvalid } from '../../core/validate.ts'
import { canAskForPush } from '../../transport/web-push.ts'
import { BROWSER, icon } from '../../view/icons.ts'
import { adoptStyles } from '../../view/render.ts'
import type { InboxView } from '../base/inbox-view.ts'
import { pushPrompt } from './push-prompt.styles.ts'

function renderPushPrompt(inbox: InboxView): TemplateResult {
  const { host, messages } = inbox
  const answer = (isOn: boolean): void => {
    inbox.pushPrompt = undefined
    host.requestUpdate()
    // The button with the focus is removed.
    host.renderRoot.querySelector<HTMLElement>('.heading')?.focus()
    inbox.reportRefusal(inbox.store?.setWebPushOptIn(isOn))
  }
  return html`<section class="push-prompt" part="push-prompt" aria-label=${messages.pushPromptTitle}>
    <span class="push-prompt-icon">${icon(BROWSER)}</span>
    <h3>${messages.pushPromptTitle}</h3>
    <p>${messages.pushPromptText}</p>
    <div class="push-prompt-row">
      <button class="btn main" @click=${() => answer(true)}>${messages.pushPromptYes}</button>
      <button class="btn" @click=${() => answer(false)}>${messages.pushPromptNo}</button>
    </div>
  </section>`
}

/** Adds the prompt to the inbox if this browser has not been asked yet. */
export function offerPushPrompt(inbox: InboxView): void {
  const { host } = inbox
  if (!canAskForPush() || inbox.pushPrompt) return
  const value = host.source.context?.webPushOptInMessage ?? ''
  // AUTOMATIC is the value of the hosted product that a page may have used before.
  if (!/^(auto(matic)?|true|)$/i.test(`${value}`))
    warnInvalid(host, 'webPushOptInMessage', value, 'auto or off')
  adoptStyles(host, pushPrompt)
  inbox.pushPrompt = () => renderPushPrompt(inbox)
  host.requestUpdate()
}
