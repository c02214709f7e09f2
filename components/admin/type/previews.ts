// What each channel would show, in all its languages side by side: mail in a frame without scripts, a phone, the feed of the kit, a bubble.

import { html, nothing, type TemplateResult } from 'lit'
import { ref } from 'lit/directives/ref.js'

import type { Preview } from '../api/types.ts'
import { fillFrame } from '../send/frames.ts'
import { renderFeed } from '../user/inbox.ts'
import { channelIcon, channelName } from '../view/channel.ts'
import { icon, WARNING } from '../view/icons.ts'
import { formatBytes } from '../view/number.ts'
import { formatClock } from '../view/time.ts'
import { typeWords as text } from '../words/types.ts'
import { languageName } from './variants.ts'

export interface PreviewProps {
  readonly previews: readonly Preview[]
  readonly typeId: string
  readonly isDark: boolean
  readonly hasFeed: boolean
}

const renderMail = ({ fields }: Preview, title: string): TemplateResult =>
  html`<div class="mail">
    <div class="mail-head">
      <p><b>${fields['subject'] ?? ''}</b></p>
      <time>${text.now}</time>
      <p class="muted">${fields['senderName'] ?? text.to}</p>
    </div>
    ${
      fields['html']
        ? html`<iframe
            sandbox="allow-same-origin"
            title="${title}"
            aria-label="${title}"
            ${ref(element => fillFrame(element, fields['html'] ?? ''))}
          ></iframe>`
        : html`<p class="mail-body">${fields['text']}</p>`
    }
  </div>`

const renderPhone = ({ fields }: Preview, typeId: string): TemplateResult =>
  html`<div class="phone">
    <p class="phone-clock">${formatClock(new Date())}</p>
    <div class="push">
      <b>${fields['title'] ?? typeId}</b><time>${text.now}</time>
      <p>${fields['message'] ?? fields['text']}</p>
    </div>
  </div>`

/** The moment of the first rendering, so that a row is not drawn again at each key. */
const NOW = new Date().toISOString()

function renderShown(preview: Preview, { hasFeed, typeId }: PreviewProps, title: string): unknown {
  const { channel, fields } = preview
  if (channel === 'EMAIL') return renderMail(preview, title)
  if (channel === 'PUSH' || channel === 'WEB_PUSH') return renderPhone(preview, typeId)
  if (channel !== 'INAPP_WEB') return html`<p class="bubble">${fields['message'] ?? fields['text']}</p>`
  if (!hasFeed) return nothing
  return html`<div class="inbox">
    ${renderFeed([{ ...fields, date: NOW, id: `${preview.locale ?? ''}${preview.template}`, type: typeId }])}
  </div>`
}

function renderMeasures({ bytes, channel, missing, segments, warnings }: Preview): TemplateResult {
  return html`<p class="measures">
    ${channel === 'EMAIL' && bytes['mail'] !== undefined ? html`<span>${formatBytes(bytes['mail'])}</span>` : nothing}
    ${segments ? html`<span>${text.segments(segments.count, segments.encoding)}</span>` : nothing}
    ${
      missing.length > 0
        ? html`<span class="warning">${icon(WARNING, 'small')}${text.missing(missing.join(', '))}</span>`
        : nothing
    }
    ${warnings.map(one => html`<span class="warning">${one}</span>`)}
  </p>`
}

export function renderPreviews(props: PreviewProps): TemplateResult {
  const { isDark, previews } = props
  if (previews.length === 0) return html`<p class="muted none">${text.noPreview}</p>`
  return html`<div class="previews" data-scheme=${isDark ? 'dark' : nothing}>
    ${previews.map(preview => {
      const { channel, locale, problem, template } = preview
      const name =
        [template.replace(/@.*/, ''), locale && languageName(locale)].filter(Boolean).join(', ') ||
        text.everybodyElse
      const title = `${channelName(channel)}, ${name}`
      return html`<figure data-channel=${channel} lang=${locale || nothing}>
        <figcaption>
          ${channelIcon(channel, 'small')}<span>${channelName(channel)}</span
          ><span class="muted">${name}</span>
        </figcaption>
        ${
          problem
            ? html`<p class="field-error">
                ${icon(WARNING, 'small')}${
                  problem.line ? text.atLine(problem.line, problem.detail) : problem.detail
                }
              </p>`
            : renderShown(preview, props, title)
        }
        ${renderMeasures(preview)}
      </figure>`
    })}
  </div>`
}
