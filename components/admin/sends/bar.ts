// Around the rows of the log: status and live tail, the pager, and what stands there without rows.

import { html, type TemplateResult } from 'lit'

import type { SendsPage } from '../api/sends.ts'
import { renderBlank } from '../view/feedback.ts'
import { CLOCK, FAILURE, icon, LINK, NEXT, PREVIOUS, SEARCH, SEND } from '../view/icons.ts'
import { copyFrom } from '../view/status.ts'
import { formatAgo } from '../view/time.ts'
import { sendsWords } from '../words/sends.ts'
import type { Token } from './filter.ts'

const STATUS_CHOICES = ['', 'failure', 'waiting', 'discarded'] as const

export interface BarActions {
  readonly status: string
  readonly isLive: boolean
  /** Address of this page with its filter. */
  readonly link: string
  readonly hasNewer: boolean
  onStatus(status: string): void
  onLive(isLive: boolean): void
  onNewer(): void
  onOlder(): void
  onTokens(tokens: readonly Token[]): void
}

export const renderBar = ({ isLive, link, onLive, onStatus, status }: BarActions): TemplateResult =>
  html`<div class="bar">
    <fieldset class="segments">
      <legend class="sr">${sendsWords.status}</legend>
      ${STATUS_CHOICES.map(
        value =>
          html`<label
            ><input
              type="radio"
              name="status"
              .checked=${status === value}
              @change=${() => onStatus(value)}
            /><span>${sendsWords.statuses[value]}</span></label
          >`
      )}
    </fieldset>
    <span class="end">
      <label class="switch"
        ><input
          type="checkbox"
          role="switch"
          .checked=${isLive}
          @change=${(event: Event) => onLive((event.target as HTMLInputElement).checked)}
        />${sendsWords.live}</label
      >
      <button
        type="button"
        class="button"
        @click=${(event: Event) => void copyFrom(event.currentTarget as HTMLElement, link)}
      >
        ${icon(LINK, 'small')}${sendsWords.copyLink}
      </button>
    </span>
  </div>`

/** Under the field, with what is expected. */
export const renderFault = (text: string): TemplateResult =>
  html`<p class="field-error danger" role="alert">${icon(FAILURE, 'small')} ${text}</p>`

export function renderPager(
  { logs, next }: SendsPage,
  { hasNewer, onNewer, onOlder }: BarActions
): TemplateResult {
  const last = logs.at(-1)
  return html`<div class="pager">
    <span>${sendsWords.pageEnd(logs.length, last && formatAgo(last.received_at), Boolean(next))}</span>
    <span class="end"
      ><button type="button" class="button" ?disabled=${!hasNewer} @click=${() => onNewer()}>
        ${icon(PREVIOUS, 'small mirror')}${sendsWords.newer}</button
      ><button type="button" class="button" ?disabled=${!next} @click=${() => onOlder()}>
        ${sendsWords.older}${icon(NEXT, 'small mirror')}
      </button></span
    >
  </div>`
}

/** Nothing yet, or nothing that matches: what was searched, and the one thing that helps. */
export function renderNothing(tokens: readonly Token[], { hasNewer, onTokens }: BarActions): TemplateResult {
  if (tokens.length === 0 && !hasNewer)
    return renderBlank(SEND, sendsWords.nothingYet, sendsWords.nothingYetWhy)
  const hasSince = tokens.some(({ key }) => key === 'since')
  const filter = tokens.map(({ key, value }) => `${key}:${value}`).join(' ')
  return renderBlank(
    hasSince ? CLOCK : SEARCH,
    sendsWords.noMatch,
    html`${sendsWords.noMatchWhy}<span class="mono">${filter}</span>.`,
    html`<button
      type="button"
      class="button"
      @click=${() => onTokens(hasSince ? tokens.filter(({ key }) => key !== 'since') : [])}
    >
      ${hasSince ? sendsWords.searchAll : sendsWords.clear}
    </button>`
  )
}
