// A look at a send without leaving the list: what each channel did, in a panel at the end of the page.

import { html, type TemplateResult } from 'lit'

import type { SendRecord } from '../api/sends.ts'
import { channelIcon, channelName } from '../view/channel.ts'
import { CLOSE, icon } from '../view/icons.ts'
import { toChannelState, toSendState } from '../view/send-state.ts'
import { renderId, renderStatus } from '../view/status.ts'
import { formatAgo, renderTime } from '../view/time.ts'
import { words } from '../words.ts'
import { sendsWords } from '../words/sends.ts'

export interface PeekActions {
  readonly href: string
  onClose(): void
}

export const renderPeek = (record: SendRecord, { href, onClose }: PeekActions): TemplateResult =>
  html`<aside class="peek" aria-label=${sendsWords.peek}>
    <div class="card-head">
      <h2 class="grow clip">${record.type}</h2>
      <button type="button" class="icon-button" title=${words.close} @click=${onClose}>
        ${icon(CLOSE, 'small')}
      </button>
    </div>
    <div class="peek-body">
      <p class="meta">
        ${renderStatus(toSendState(record))}<span>${record.user_id}</span>${renderTime(
          record.received_at,
          formatAgo(record.received_at)
        )}
      </p>
      <ul class="rows">
        ${record.channels.map(
          channel =>
            html`<li>
              ${channelIcon(channel.channel, 'small')}<b>${channelName(channel.channel)}</b>${renderStatus(toChannelState(channel))}
              <p>${channel.explanation}</p>
            </li>`
        )}
      </ul>
      ${record.messages.map(message => html`<p class="muted">${message}</p>`)}
    </div>
    <div class="card-foot">
      ${renderId(record.trackingId)}<a class="button main end" href=${href}>${sendsWords.open}</a>
    </div>
  </aside>`
