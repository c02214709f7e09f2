// The help about keys: a dialog over the panel, or in the middle of the window for a feed.

import { html, nothing, type TemplateResult } from 'lit/html.js'

import { addEnglish } from '../../core/locale.ts'
import { actionMessages } from '../../messages/actions.en.ts'
import { renderIconButton } from '../../view/button.ts'
import { CLOSE, icon } from '../../view/icons.ts'
import { adoptStyles } from '../../view/render.ts'
import type { InboxView } from '../base/inbox-view.ts'
import { keyCap } from '../base/key.styles.ts'
import { help as styles } from './help.styles.ts'

type Line = readonly [name: string, keys: readonly string[], otherKeys?: readonly string[]]

/** The keys that this inbox has: those of buttons only if a row has the button. */
function listGroups({ host, messages }: InboxView): readonly (readonly [string, readonly Line[]])[] {
  const has = (act: string): boolean => host.renderRoot.querySelector(`[data-act="${act}"]`) !== null
  const isRtl = getComputedStyle(host).direction === 'rtl'
  const button = (act: string, name: string, key: string): readonly Line[] =>
    has(act) ? [[name, [key]]] : []
  return [
    [
      messages.keysMove,
      [
        [messages.keysRows, ['↓', '↑'], ['J', 'K']],
        [messages.keysEnds, ['Home', 'End']],
        [messages.keysInto, isRtl ? ['←', '→'] : ['→', '←']]
      ]
    ],
    [
      messages.keysDo,
      [
        [messages.keysOpen, ['Enter']],
        [messages.archive, ['E']],
        [messages.keysRead, ['U']],
        ...button('snooze', messages.keysSnooze, 'S'),
        ...button('fewer', messages.fewer, 'M'),
        ...button('reply', messages.keysReply, 'R'),
        [messages.undo, ['Z']]
      ]
    ],
    [
      messages.keysAnywhere,
      [
        [messages.keysHelp, ['?']],
        [messages.close, ['Esc']]
      ]
    ]
  ]
}

const renderKeys = (keys: readonly string[]): readonly TemplateResult[] =>
  keys.map(key => html`<kbd class="key">${key}</kbd>`)

/** Tab stays inside: there are two places, and the page behind is not to be reached. */
function onKeydown(event: KeyboardEvent, sheet: HTMLElement): void {
  // Keys of the inbox do not hear of it.
  if (event.key !== 'Escape') event.stopPropagation()
  if (event.key === '?') sheet.hidePopover()
  if (event.key !== 'Tab') return
  event.preventDefault()
  const [one, other] = [...sheet.querySelectorAll<HTMLElement>('button, .keys')]
  ;(event.target === one ? other : one)?.focus()
}

const renderLine = ({ messages }: InboxView, [name, keys, otherKeys]: Line): TemplateResult => {
  const others = otherKeys ? html`${messages.or} ${renderKeys(otherKeys)}` : nothing
  return html`<div>
    <dt>${name}</dt>
    <dd>${renderKeys(keys)}${others}</dd>
  </div>`
}

const renderGroup = (inbox: InboxView, [title, lines]: readonly [string, readonly Line[]]): TemplateResult =>
  html`<h3>${title}</h3>
    <dl>${lines.map(line => renderLine(inbox, line))}</dl>`

function renderHelp(inbox: InboxView): TemplateResult {
  const { messages } = inbox
  const find = (event: Event): HTMLElement => (event.currentTarget as Element).closest<HTMLElement>('.help')!
  return html`<div
    class="help"
    part="help"
    popover
    role="dialog"
    aria-modal="true"
    aria-label=${messages.keyboard}
    @keydown=${(event: KeyboardEvent) => onKeydown(event, find(event))}
  >
    <div class="headline">
      <h2 class="heading">${messages.keyboard}</h2>
      ${renderIconButton(messages.close, icon(CLOSE), () => inbox.host.renderRoot.querySelector<HTMLElement>('.help')?.hidePopover())}
    </div>
    <div class="keys" tabindex="0">${listGroups(inbox).map(group => renderGroup(inbox, group))}</div>
  </div>`
}

/** Opens the help. The focus returns to where it was. */
export async function openHelp(inbox: InboxView): Promise<void> {
  const { host } = inbox
  const root = host.renderRoot as ShadowRoot
  const before = root.activeElement as HTMLElement | null
  adoptStyles(host, keyCap, styles)
  addEnglish(actionMessages)
  inbox.renderHelp = () => renderHelp(inbox)
  host.requestUpdate()
  await host.updateComplete
  const sheet = root.querySelector<HTMLElement>('.help')
  if (!sheet || sheet.matches(':popover-open')) return
  sheet.addEventListener(
    'beforetoggle',
    () => {
      if (sheet.contains(root.activeElement)) (before?.isConnected ? before : undefined)?.focus()
    },
    { signal: closeSignal(sheet) }
  )
  sheet.showPopover()
  const panel = root.querySelector('.panel')?.getBoundingClientRect()
  sheet.style.cssText = panel
    ? `inset:${panel.top}px auto auto ${panel.left}px;margin:0;inline-size:${panel.width}px;block-size:${panel.height}px`
    : ''
  sheet.querySelector('button')?.focus()
}

/** Aborts when the sheet has closed. */
function closeSignal(sheet: HTMLElement): AbortSignal {
  const closed = new AbortController()
  sheet.addEventListener(
    'toggle',
    event => {
      if ((event as ToggleEvent).newState === 'closed') closed.abort()
    },
    closed
  )
  return closed.signal
}
