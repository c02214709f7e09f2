// The templates of a type: channels, below them languages, and channels that are not used.

import { html, nothing, type TemplateResult } from 'lit'

import type { TypeContent } from '../api/types.ts'
import { channelIcon, channelName, CHANNELS } from '../view/channel.ts'
import { FAILURE, icon, PLUS } from '../view/icons.ts'
import { typeWords as text } from '../words/types.ts'
import { formatKey, parseKey, sortKeys } from './template.ts'

export const languageName = (locale: string): string =>
  new Intl.DisplayNames('en', { fallback: 'code', type: 'language' }).of(locale) ?? locale

/** `Everybody else`, `German`, `short`, `short, German`. */
export function variantName(key: string): string {
  const { id, locale } = parseKey(key)
  const parts = [id, locale && languageName(locale)].filter(Boolean)
  return parts.length > 0 ? parts.join(', ') : text.everybodyElse
}

export interface VariantsProps {
  readonly content: TypeContent
  readonly chosen: string
  /** Keys of templates with a fault. */
  readonly wrong: ReadonlySet<string>
  readonly isReadOnly: boolean
  onChoose(key: string): void
  onUse(channel: string): void
  onAddLanguage(channel: string): void
}

export function renderVariants(props: VariantsProps): TemplateResult {
  const { chosen, content, isReadOnly, onAddLanguage, onChoose, onUse, wrong } = props
  const keys = sortKeys(content.templates)
  const used = CHANNELS.filter(channel => keys.some(key => parseKey(key).channel === channel))
  const unused = CHANNELS.filter(channel => !used.includes(channel))
  const current = parseKey(chosen).channel
  const renderKey = (key: string, label: unknown, className = ''): TemplateResult =>
    html`<button
      type="button"
      class="variant ${className}"
      aria-current=${key === chosen ? 'true' : nothing}
      @click=${() => onChoose(key)}
    >
      ${label}${wrong.has(key) ? html`<span class="danger end">${icon(FAILURE, 'small')}</span>` : nothing}
    </button>`
  return html`<nav class="variants" aria-label=${text.templates}>
    ${used.map(channel => {
      const own = keys.filter(key => parseKey(key).channel === channel)
      const first = own.includes(channel) ? channel : own[0]!
      return html`${renderKey(first, html`${channelIcon(channel, 'small')}<span>${channelName(channel)}</span>`)}
      ${
        channel === current && (own.length > 1 || own[0] !== channel)
          ? own.map(key => renderKey(key, html`<span>${variantName(key)}</span>`, 'below'))
          : nothing
      }
      ${
        channel === current && !isReadOnly
          ? html`<button type="button" class="variant below add" @click=${() => onAddLanguage(channel)}>
              ${icon(PLUS, 'small')}<span>${text.addLanguage}</span>
            </button>`
          : nothing
      }`
    })}
    ${
      unused.length > 0 && !isReadOnly
        ? html`<p>${text.notUsed}</p>
            ${unused.map(
              channel =>
                html`<button
                  type="button"
                  class="variant"
                  @click=${() => onUse(formatKey({ channel, id: '', locale: '' }))}
                >
                  ${channelIcon(channel, 'small')}<span class="muted">${channelName(channel)}</span
                  ><span class="end muted">${icon(PLUS, 'small')}</span>
                </button>`
            )}`
        : nothing
    }
  </nav>`
}
