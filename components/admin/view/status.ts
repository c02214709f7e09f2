// States as an icon and a word, ids that can be copied, people with their initials.

import { html, nothing, type TemplateResult } from 'lit'

import { words } from '../words.ts'
import {
  CALENDAR,
  CHECK,
  CHECK_ALL,
  CLICK,
  CLOCK,
  COPY,
  DISCARDED,
  EYE,
  FAILURE,
  icon,
  INBOX,
  PAUSED,
  SUCCESS,
  WARNING
} from './icons.ts'

export type Tone = 'good' | 'bad' | 'warning' | 'muted' | 'plain'

const STATES = {
  clicked: [CLICK, 'good'],
  delivered: [CHECK_ALL, 'good'],
  discarded: [DISCARDED, 'muted'],
  failed: [FAILURE, 'bad'],
  opened: [EYE, 'good'],
  paused: [PAUSED, 'warning'],
  refused: [WARNING, 'warning'],
  resting: [PAUSED, 'bad'],
  sandbox: [INBOX, 'muted'],
  scheduled: [CALENDAR, 'plain'],
  sending: [SUCCESS, 'good'],
  sent: [SUCCESS, 'good'],
  waiting: [CLOCK, 'muted']
} as const satisfies Record<string, readonly [string, Tone]>

export type State = keyof typeof STATES

export function renderStatus(state: State, text: string = words.states[state]): TemplateResult {
  const [path, tone] = STATES[state]
  return html`<span class="status" data-tone=${tone}>${icon(path, 'small')}${text}</span>`
}

/** How long the tick of a copy button is shown. */
const COPIED_MS = 1500

/** Copies a text and shows a tick in the button. */
export async function copyFrom(button: HTMLElement, text: string): Promise<void> {
  await navigator.clipboard.writeText(text)
  const path = button.querySelector('path')
  const before = path?.getAttribute('d')
  path?.setAttribute('d', CHECK)
  setTimeout(() => before && path?.setAttribute('d', before), COPIED_MS)
}

export const renderCopyButton = (text: string, label: string): TemplateResult =>
  html`<button
    type="button"
    class="icon-button tiny over"
    title=${label}
    @click=${(event: MouseEvent) => void copyFrom(event.currentTarget as HTMLElement, text)}
  >
    ${icon(COPY, 'small')}
  </button>`

/** `0193…b7d4` */
export const shortId = (id: string): string => (id.length > 14 ? `${id.slice(0, 4)}…${id.slice(-6)}` : id)

/** Short, in full in its title, with a button that copies it. */
export const renderId = (id: string, { isWhole = false } = {}): TemplateResult =>
  html`<span class="id"
    ><span title=${id}>${isWhole ? id : shortId(id)}</span>${renderCopyButton(id, words.copyId)}</span
  >`

/** Tones of initials; the fifth is the accent. */
const TONES = 6

const toneOf = (text: string): number =>
  1 + ([...text].reduce((sum, letter) => (sum * 31 + letter.codePointAt(0)!) % 9973, 7) % TONES)

/** `Amara Osei` → `AO`, `amara` → `AM`. */
export function toInitials(name: string): string {
  const parts = name.split(/[\s._@-]+/).filter(Boolean)
  const letters = parts.length > 1 ? parts.slice(0, 2).map(part => [...part][0]!) : [...name].slice(0, 2)
  return letters.join('').toUpperCase()
}

/** In one of six tones. */
export const renderInitials = (id: string, name: string = id): TemplateResult =>
  html`<span class="initials" data-tone=${toneOf(id)} aria-hidden="true">${toInitials(name)}</span>`

/** Initials and the name. */
export const renderPerson = (id: string, name: string = id): TemplateResult =>
  html`<span class="person"
    >${renderInitials(id, name)}${name ? html`<span class="clip">${name}</span>` : nothing}</span
  >`
