// The line of an action: what it did, and the button that takes it back or tries it again.

import { html, nothing, type TemplateResult } from 'lit/html.js'

import { icon } from '../../view/icons.ts'
import type { InboxView, UndoLine } from '../base/inbox-view.ts'

interface Actions {
  retry(line: UndoLine): void
  spend(line: UndoLine): void
  /** @param isByPointer - not by a key */
  undo(line: UndoLine, isByPointer: boolean): Promise<void>
}

function renderContent({ messages }: InboxView, line: UndoLine, actions: Actions): TemplateResult {
  const hasFailed = line.state === 'failed'
  return html`${line.icon ? icon(line.icon, 'small') : nothing}<span class="undo-text"
      ><b>${line.words}</b>${line.text ? html` ${line.text}` : nothing}</span
    >${
      hasFailed
        ? html`<button @click=${() => actions.retry(line)}>${messages.retry}</button>`
        : html`<button @click=${(event: MouseEvent) => void actions.undo(line, event.detail > 0)}>
            ${messages.undo}<kbd class="key" aria-hidden="true">Z</kbd>
          </button>`
    }${hasFailed ? nothing : html`<i class="time-left" @animationend=${() => actions.spend(line)}></i>`}`
}

/** Without words while it is blank or closes. */
export const renderLine = (inbox: InboxView, actions: Actions, line: UndoLine): TemplateResult =>
  html`<div
    class=${line.item ? 'undo-line' : 'undo-line all'}
    part="undo"
    role=${line.item ? 'article' : 'group'}
    tabindex="-1"
    data-key=${line.key}
    ?data-danger=${line.state === 'failed'}
    aria-label=${line.words}
  >
    ${/live|failed/.test(line.state) ? renderContent(inbox, line, actions) : nothing}
  </div>`
