// A message of the sandbox as a row, which leads to its send.

import { html, type TemplateResult } from 'lit'

import type { SandboxMessage } from '../api/sandbox.ts'
import { channelIcon, channelName } from '../view/channel.ts'
import { renderPerson } from '../view/status.ts'
import { renderTime } from '../view/time.ts'

export const renderMessage = (
  { channel, date, message, subject, title, trackingId, type, userId }: SandboxMessage,
  pageUrl: (page: string) => string
): TemplateResult =>
  html`<tr role="row">
    <td role="cell" class="nowrap muted">${renderTime(date)}</td>
    <td role="cell" class="nowrap">${channelIcon(channel, 'small')} ${channelName(channel)}</td>
    <td role="cell"><a class="cover mono" href=${pageUrl(`sends/${trackingId}`)}>${type}</a></td>
    <td role="cell">${renderPerson(userId)}</td>
    <td role="cell">${subject ?? title ?? message ?? ''}</td>
  </tr>`
