// The card that asks once, on top of the list and never over it, whether this browser shall show notifications.

import { css } from '@lit/reactive-element'
import { html, type TemplateResult } from 'lit/html.js'

import { mistaken } from '../internal/check.ts'
import { BROWSER, icon } from '../internal/icons.ts'
import type { Messages } from '../messages/en.ts'
import type { NotifStore } from '../store/index.ts'
import { isOpen } from '../transport/web-push.ts'
import type { InboxElement } from './inbox-element.ts'

const { styleSheet } = css`
  .optin {
    display: grid;
    grid-template-columns: 40px 1fr;
    column-gap: var(--_3);
    margin-block-end: var(--_2);
    padding: var(--_4);
    border-radius: var(--_radius-m);
    /* Forced colours paint it, and it takes no room: the words stand below those of the rows. */
    outline: 1px solid var(--_line);
    outline-offset: -1px;
  }
  .optin-icon {
    grid-row: span 2;
    display: grid;
    place-items: center;
    block-size: 40px;
    border-radius: 50%;
    background: color-mix(in oklab, var(--_accent) 12%, transparent);
    color: var(--_accent);
  }
  .optin h3 {
    font-size: var(--_text-md);
    font-weight: 650;
  }
  .optin p {
    font-size: var(--_text-md);
    color: var(--_muted);
    text-wrap: pretty;
  }
  .optin-row {
    grid-column: 2;
    display: flex;
    flex-wrap: wrap;
    gap: var(--_2);
    margin-block-start: var(--_3);
  }
  .optin .btn {
    box-shadow: none;
  }
  .optin .main {
    background: var(--_accent);
    color: var(--_on-accent);
  }
`

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
  return html`<section class="optin" part="opt-in" aria-label=${words.optInTitle}>
    <span class="optin-icon">${icon(BROWSER)}</span>
    <h3>${words.optInTitle}</h3>
    <p>${words.optInText}</p>
    <div class="optin-row">
      <button class="btn main" @click=${() => answer(true)}>${words.optInYes}</button>
      <button class="btn" @click=${() => answer(false)}>${words.optInNo}</button>
    </div>
  </section>`
}

/** Puts the card into the inbox where this browser has not been asked yet. */
export function offer(inbox: Asking): void {
  if (!isOpen() || inbox.card) return
  const { renderRoot: root, source } = inbox.host
  const said = source.scope?.webPushOptInMessage ?? ''
  // AUTOMATIC is the word of the product that may have stood here before.
  if (!/^(auto(matic)?|true|)$/i.test(`${said}`))
    mistaken(inbox.host, 'webPushOptInMessage', said, 'auto or off')
  const { adoptedStyleSheets: sheets } = root as ShadowRoot
  if (!sheets.includes(styleSheet!)) sheets.push(styleSheet!)
  inbox.card = () => cardTemplate(inbox)
  inbox.host.requestUpdate()
}
