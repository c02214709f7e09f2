// Digests that wait.

import { html, type TemplateResult } from 'lit'

import type { PendingDigest } from '../api/schedules.ts'
import { channelIcon, channelName } from '../view/channel.ts'
import { renderHeadings } from '../view/headings.ts'
import { formatCount } from '../view/number.ts'
import { renderTime } from '../view/time.ts'
import { scheduleWords } from '../words/schedules.ts'

const text = scheduleWords

export const renderDigests = (
  digests: readonly PendingDigest[],
  renderUser: (id: string) => TemplateResult
): TemplateResult =>
  digests.length === 0
    ? html`<p class="muted">${text.noDigests}</p>`
    : html`<table class="table bleeds stacks" role="table">
        ${renderHeadings(text.digestColumns)}
        <tbody role="rowgroup">
          ${digests.map(
            ({ channel, items, sendsAt, type, userId }) =>
              html`<tr role="row">
                <td role="cell" class="nowrap">${renderTime(sendsAt)}</td>
                <td role="cell" class="mono">${type}</td>
                <td role="cell">${renderUser(userId)}</td>
                <td role="cell">${channelIcon(channel, 'small')} ${channelName(channel)}</td>
                <td role="cell">${formatCount(items)}</td>
              </tr>`
          )}
        </tbody>
      </table>`
