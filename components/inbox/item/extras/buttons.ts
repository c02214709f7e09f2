// The buttons of an item, and what became of the pressed one.

import { html, nothing, type TemplateResult } from 'lit/html.js'

import type { ItemAction, ItemOutcome, Notif } from '../../../protocol/index.ts'
import { emit } from '../../../view/emit.ts'
import { CHECK, icon } from '../../../view/icons.ts'
import type { ItemView } from '../../base/inbox-view.ts'
import { LINK_SCHEMES, safeUrl } from '../avatar.ts'
import { GLYPHS } from './glyphs.ts'
import type { RowStates } from './row-state.ts'

/** @returns false if the page prevented it */
function press(inbox: ItemView, states: RowStates, item: Notif, action: ItemAction): boolean {
  let answer: PromiseLike<string | void> | undefined
  const respondWith = (given: typeof answer): void => void (answer = given)
  if (!emit(inbox.host, 'notif-item-action', { action, item, respondWith })) return false
  void run(inbox, states, item, action, answer)
  return true
}

async function run(
  inbox: ItemView,
  states: RowStates,
  { id }: Notif,
  { id: actionId, send }: ItemAction,
  answer: PromiseLike<string | void> | undefined
): Promise<void> {
  const isShown = Boolean(send || answer)
  if (isShown) await states.press(id, { failed: undefined, pressed: actionId })
  try {
    const text = await answer
    await inbox.store?.act(id, actionId)
    inbox.readState.markRead(id)
    const answered = answer && { actionId, text: text || undefined }
    await states.press(id, { answered, pressed: undefined })
  } catch (error) {
    await states.press(id, { failed: states.describeFailure(error), pressed: undefined })
  }
}

const stop = (event: Event): void => event.stopPropagation()

/** The words stay in the button while it is pending, so that it keeps its width and its name. */
const label = (text: string, isBusy: boolean): TemplateResult =>
  html`${isBusy ? html`<span class="spin" aria-hidden="true"></span>` : nothing}<span>${text}</span>`

/** @param more - further buttons in the same line */
export function renderButtons(
  inbox: ItemView,
  states: RowStates,
  item: Notif,
  more: TemplateResult | typeof nothing
): TemplateResult {
  const { actions = [], outcome } = item
  const { failed, pressed } = states.get(item.id)
  const pending = pressed ?? (outcome?.state === 'pending' ? outcome.actionId : undefined)
  const buttons = actions.map((action, i) => {
    const isBusy = action.id === pending
    const isMain = (action.style ?? (i === 0 ? 'primary' : '')) === 'primary'
    const className = `btn${isMain ? ' main' : ''}${action.style === 'danger' ? ' danger' : ''}`
    const url = safeUrl(action.url, LINK_SCHEMES)
    if (action.url && !url) return nothing
    const onClick = (event: MouseEvent): void => {
      event.stopPropagation()
      if (pending !== undefined) return
      if (!press(inbox, states, item, action)) event.preventDefault()
      else if (url && !inbox.host.newTab) inbox.host.onLinkFollowed()
    }
    return url
      ? html`<a
          class=${className}
          part="item-action"
          tabindex=${inbox.hasTabStops ? 0 : -1}
          href=${url}
          target=${inbox.host.newTab ? '_blank' : nothing}
          rel="noopener"
          @click=${onClick}
          >${label(action.label, false)}</a
        >`
      : html`<button
          class=${className}
          part="item-action"
          tabindex=${inbox.hasTabStops ? 0 : -1}
          aria-busy=${isBusy ? 'true' : nothing}
          aria-disabled=${pending === undefined ? nothing : 'true'}
          @click=${onClick}
        >
          ${label(action.label, isBusy)}
        </button>`
  })
  const reason =
    failed ?? (outcome?.state === 'failed' && pending === undefined ? (outcome.text ?? '') : undefined)
  return html`<div class="acts" @click=${stop}>${buttons}${more}</div>
    ${reason === undefined ? nothing : renderFailure(inbox, reason)}`
}

export const renderFailure = ({ messages }: ItemView, reason: string | TemplateResult): TemplateResult =>
  html`<p class="state" data-state="bad" role="status">
    ${icon(GLYPHS.alert, 'small')}<span><b>${messages.notSent}</b> <bdi>${reason}</bdi></span>
  </p>`

/** The outcome that replaces the buttons. */
export function findAnswer(states: RowStates, { id, outcome }: Notif): Partial<ItemOutcome> | undefined {
  if (outcome?.state === 'done') return outcome
  const { answered } = states.get(id)
  return (
    answered && { actionId: answered.actionId, ...(answered.text !== undefined && { text: answered.text }) }
  )
}

export function renderAnswer(
  { formats, messages, now }: ItemView,
  { actions = [] }: Notif,
  { actionId, at, by, text }: Partial<ItemOutcome>
): TemplateResult {
  const name = actions.find(({ id }) => id === actionId)?.label ?? actionId ?? ''
  const age = at && (formats.age(new Date(at), now) ?? messages.now)
  if (by) {
    return html`<p class="state" role="status">
      ${icon(GLYPHS.ok, 'small')}<span><bdi>${text ?? `${by}: ${name}`}</bdi> ${text ? nothing : age}</span>
    </p>`
  }
  return html`<p class="state" data-state="good" role="status">
    ${icon(CHECK, 'small')}<span
      ><b><bdi>${text ?? messages.actionDone(name)}</bdi></b> ${age}</span
    >
  </p>`
}
