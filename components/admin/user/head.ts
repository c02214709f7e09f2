// The head of a user, what fails, and the last sends.

import { html, nothing, type TemplateResult } from 'lit'

import type { AdminScope } from '../api/scope.ts'
import type { SendRecord } from '../api/sends.ts'
import type { User, UserOverview } from '../api/users.ts'
import { channelName, renderStrip } from '../view/channel.ts'
import { renderBone } from '../view/feedback.ts'
import { DOWNLOAD, icon, MAIL, NEXT, TRASH } from '../view/icons.ts'
import { toSendState, toStrip, toWhy } from '../view/send-state.ts'
import { renderInitials, renderStatus } from '../view/status.ts'
import { formatDay, renderTime } from '../view/time.ts'
import { words } from '../words.ts'
import { userWords as text } from '../words/users.ts'

type PageUrl = (page: string) => string

export interface HeadProps {
  readonly id: string
  readonly scope: AdminScope | undefined
  readonly user: User | undefined
  readonly pageUrl: PageUrl
  onErase(): void
  onExport(): void
}

export const renderHead = ({ id, onErase, onExport, pageUrl, scope, user }: HeadProps): TemplateResult =>
  html`<nav class="crumbs" aria-label=${words.pages.users}>
      <a href=${pageUrl('users')}>${words.pages.users}</a>${icon(NEXT, 'mirror')}<span class="mono clip"
        >${id}</span
      >
    </nav>
    <header class="head">
      <div class="persona">
        ${renderInitials(id)}
        <h1>${id}</h1>
        <div class="meta">
          ${
            user?.lastSeenTime
              ? html`<span><span>${text.seen} ${renderTime(user.lastSeenTime)}</span></span>`
              : html`<span>${user ? text.neverSeen : renderBone('m')}</span>`
          }
          ${user?.createdAt ? html`<span>${text.since(formatDay(user.createdAt))}</span>` : nothing}
        </div>
      </div>
      <div class="actions">
        <a class="button" href=${pageUrl(`sends?user=${encodeURIComponent(id)}`)}>${text.sends}</a>
        ${
          scope?.can('users')
            ? html`<button type="button" class="button" @click=${onExport}>
                  ${icon(DOWNLOAD, 'small')}${text.export}
                </button>
                <button type="button" class="button risky" @click=${onErase}>
                  ${icon(TRASH, 'small')}${text.erase}
                </button>`
            : nothing
        }
      </div>
    </header>`

export function renderTrouble(
  id: string,
  { faults, user }: UserOverview,
  pageUrl: PageUrl
): TemplateResult | typeof nothing {
  const [fault] = faults
  if (!fault && !user.emailBounce) return nothing
  const { channel, code, detail } = fault ?? { channel: 'EMAIL', ...user.emailBounce! }
  return html`<div class="note" data-tone="warning">
    ${icon(MAIL)}
    <p>
      <b>${text.failing(id)}</b> ${text.failingWhy(channelName(channel), code, detail ?? '')}
      ${user.emailBounce ? text.bounced : nothing}
    </p>
    ${
      fault
        ? html`<a class="button" href=${pageUrl(`sends/${fault.trackingId}#${fault.channel}`)}
            >${text.why}</a
          >`
        : nothing
    }
  </div>`
}

export const renderSends = (
  id: string,
  sends: readonly SendRecord[] | undefined,
  pageUrl: PageUrl
): TemplateResult =>
  html`<section class="card">
    <div class="card-head">
      <h2>${text.recent}</h2>
      <a class="link end" href=${pageUrl(`sends?user=${encodeURIComponent(id)}`)}>${text.allSends}</a>
    </div>
    ${
      sends?.length === 0
        ? html`<p class="card-body muted">${text.noSends}</p>`
        : html`<table class="table hovers stacks" role="table">
            <tbody role="rowgroup">
              ${sends?.map(
                send =>
                  html`<tr role="row">
                    <td role="cell" class="nowrap muted">${renderTime(send.received_at)}</td>
                    <td role="cell">${renderStatus(toSendState(send))}</td>
                    <td role="cell">
                      <a class="cover mono" href=${pageUrl(`sends/${send.trackingId}`)}>${send.type}</a>
                    </td>
                    <td role="cell">${renderStrip(toStrip(send))}</td>
                    <td role="cell" class="muted" title=${toWhy(send)}>
                      <span class="why">${toWhy(send)}</span>
                    </td>
                  </tr>`
              )}
            </tbody>
          </table>`
    }
  </section>`
