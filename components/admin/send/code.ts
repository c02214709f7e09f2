// The send as it came, as JSON with colors, and as a call of curl.

import { html, type TemplateResult } from 'lit'

import type { AdminScope } from '../api/scope.ts'
import { COPY, icon } from '../view/icons.ts'
import { copyFrom } from '../view/status.ts'
import { sendWords } from '../words/send.ts'

const toPretty = (request: string): string => {
  try {
    return JSON.stringify(JSON.parse(request), null, 2)
  } catch {
    return request
  }
}

/** Single quotes end and begin again around each one in the text. */
const quote = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`

/** The secret is left to the shell of the member. */
export const toCurl = ({ api, clientId }: AdminScope, request: string): string =>
  `curl -u ${clientId}:"$NOTIF_CLIENT_SECRET" -H 'content-type: application/json' \\\n  -d ${quote(request)} \\\n  ${api.base}/sender`

const PART = /("(?:[^"\\]|\\.)*")(\s*:)?|-?\d[\d.e+-]*|true|false|null/g

/** A line as keys, texts and the rest. */
function renderLine(line: string): TemplateResult {
  const parts: (TemplateResult | string)[] = []
  let end = 0
  for (const match of line.matchAll(PART)) {
    parts.push(line.slice(end, match.index))
    const kind = match[2] === undefined ? (match[1] === undefined ? 'v' : 's') : 'k'
    parts.push(html`<span class=${kind}>${match[0]}</span>`)
    end = match.index + match[0].length
  }
  parts.push(line.slice(end))
  return html`<span class="line">${parts}</span>`
}

export function renderCode(request: string): TemplateResult {
  const pretty = toPretty(request)
  return html`<section class="card" aria-labelledby="request">
    <div class="card-head">
      <h2 id="request">${sendWords.request}</h2>
      <span class="muted">${sendWords.requestSize(new TextEncoder().encode(request).length)}</span
      ><button
        type="button"
        class="button quiet end"
        @click=${(event: Event) => void copyFrom(event.currentTarget as HTMLElement, pretty)}
      >
        ${icon(COPY, 'small')}${sendWords.copy}
      </button>
    </div>
    <pre class="code" tabindex="0" aria-labelledby="request">${pretty.split('\n').map(renderLine)}</pre>
  </section>`
}
