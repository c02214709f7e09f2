// What needs a look, the worst first: each with what it is, since when, and one button.

import { html, nothing, type TemplateResult } from 'lit'

import { restingQueues, type Attention, type EnvironmentStatus } from '../api/status.ts'
import { channelName } from '../view/channel.ts'
import { DEAD_LETTER, icon, KEY, SHIELD, TYPES } from '../view/icons.ts'
import { formatDay } from '../view/time.ts'
import { nowWords } from '../words/now.ts'
import type { NowActions } from './state.ts'

interface Line {
  readonly icon: string
  readonly tone: 'danger' | 'warning'
  readonly title: string
  readonly text: TemplateResult | string
  readonly button: string
  readonly page: string
}

const text = nowWords.attention

/** Where the cause is: the template, or the sends if the type is gone or the fault is in what was sent. */
const toSourcePage = ({
  channel,
  decision,
  title,
  type
}: Extract<Attention, { kind: 'cannot-send' }>): string =>
  decision === 'no-provider'
    ? 'settings?section=providers'
    : title !== undefined && (decision === 'no-template' || decision === 'render-failed')
      ? `types/${encodeURIComponent(type)}/${channel}`
      : `sends?type=${encodeURIComponent(type)}&channel=${channel}`

function toLine(one: Attention, { deadLetters }: EnvironmentStatus): Line {
  switch (one.kind) {
    case 'dead-letters': {
      const where = text.on(channelName(one.channel), one)
      return {
        button: text.lookAtThem,
        icon: DEAD_LETTER,
        page: `dead-letters?channel=${one.channel}&code=${encodeURIComponent(one.code)}`,
        text: html`${text.deadWhy}<span class="mono">${one.code}</span> ${where}`,
        title: text.dead(deadLetters),
        tone: 'danger'
      }
    }
    case 'cannot-send':
      return {
        button: one.decision === 'no-template' ? text.write : text.open,
        icon: TYPES,
        page: toSourcePage(one),
        text: html`${text.unsendableWhy(one.count)} <span class="mono">${one.decision}</span>.`,
        title: text.unsendable[one.decision](one.title ?? one.type, channelName(one.channel)),
        tone: 'warning'
      }
    case 'email':
      return {
        button: text.open,
        icon: SHIELD,
        page: 'settings?section=providers',
        text: one.detail,
        title: text.probes[one.probe],
        tone: one.state === 'failed' ? 'danger' : 'warning'
      }
    case 'key-expires':
      return {
        button: text.open,
        icon: KEY,
        page: 'settings?section=keys',
        text: text.keyWhy(formatDay(one.expiresAt)),
        title: text.key(one.name),
        tone: 'warning'
      }
    case 'secret-ends':
      return {
        button: text.open,
        icon: KEY,
        page: 'settings?section=keys',
        text: text.secretWhy(formatDay(one.endsAt)),
        title: text.secret,
        tone: 'warning'
      }
  }
}

export function renderAttention(
  status: EnvironmentStatus,
  { pageUrl }: NowActions
): TemplateResult | typeof nothing {
  const { attention } = status
  if (attention.length === 0) return nothing
  const isMore = restingQueues(status).length > 0
  return html`<section class="section" aria-labelledby="attention">
    <div class="section-head">
      <h2 id="attention">${isMore ? text.alsoTitle : text.title}</h2>
      <p>${text.count(attention.length)}</p>
    </div>
    <ul class="card rows needs">
      ${attention
        .map(one => toLine(one, status))
        .map(
          line =>
            html`<li>
              <span class=${line.tone}>${icon(line.icon)}</span>
              <div>
                <b>${line.title}</b>
                <p>${line.text}</p>
              </div>
              <a class="button" href=${pageUrl(line.page)}>${line.button}</a>
            </li>`
        )}
    </ul>
  </section>`
}
