// Members, own sessions and the audit log.

import { html, nothing, type TemplateResult } from 'lit'

import type { AuditEntry, Member, Session } from '../api/settings.ts'
import { renderHeadings } from '../view/headings.ts'
import { BROWSER, icon } from '../view/icons.ts'
import { renderPerson } from '../view/status.ts'
import { renderTime } from '../view/time.ts'
import { actorName, words } from '../words.ts'
import { settingWords as text } from '../words/settings.ts'

export const renderMembers = (
  members: readonly Member[],
  ownId: string | undefined,
  onBlock: (member: Member) => void
): TemplateResult =>
  html`<div class="card">
    <table class="table stacks" role="table">
      ${renderHeadings(text.memberColumns)}
      <tbody role="rowgroup">
        ${members.map(
          member =>
            html`<tr role="row">
              <th role="rowheader" scope="row">
                ${renderPerson(member.id, member.name)}
                ${member.email ? html`<span class="muted">${member.email}</span>` : nothing}
              </th>
              <td role="cell">
                ${words.roles[member.role]}
                ${member.blockedAt ? html`<span class="chip" data-tone="bad">${text.blocked}</span>` : nothing}
              </td>
              <td role="cell" class="nowrap">${renderTime(member.lastSeenAt)}</td>
              <td role="cell" class="number">
                ${
                  member.id === ownId || member.actor.startsWith('admin:')
                    ? nothing
                    : html`<button type="button" class="button" @click=${() => onBlock(member)}>
                        ${member.blockedAt ? text.unblock : text.block}
                      </button>`
                }
              </td>
            </tr>`
        )}
      </tbody>
    </table>
    <p class="card-foot">${text.roleWhy}</p>
  </div>`

/** `Firefox 150 on Linux` would need a list of browsers; the names in the header say enough. */
const browserName = (browser: string): string =>
  /(Firefox|Edg|OPR|Chrome|Safari)\/(\d+)/.exec(browser)?.slice(1).join(' ') ?? browser.slice(0, 40)

export const renderSessions = (
  sessions: readonly Session[],
  onEnd: (session: Session) => void
): TemplateResult =>
  html`<ul class="card rows lines">
    ${sessions.map(
      session =>
        html`<li>
          ${icon(BROWSER)}<span class="grow"
            ><b class="block">${browserName(session.browser)}</b
            ><span class="muted"
              ><span class="mono">${session.address}</span>, ${renderTime(session.lastUsedAt)}</span
            ></span
          >${
            session.current
              ? html`<span class="chip" data-tone="line">${text.current}</span>`
              : html`<button type="button" class="button" @click=${() => onEnd(session)}>${text.end}</button>`
          }
        </li>`
    )}
  </ul>`

const renderAudit = (entries: readonly AuditEntry[]): TemplateResult =>
  html`<div class="card">
    ${
      entries.length === 0
        ? html`<p class="card-body muted">${text.noAudit}</p>`
        : html`<table class="table stacks" role="table">
            ${renderHeadings(text.auditColumns)}
            <tbody role="rowgroup">
              ${entries.map(
                ({ actor, address, clientId, date, method, route, status, userDigest }) =>
                  html`<tr role="row">
                    <td role="cell" class="nowrap muted">${renderTime(date)}</td>
                    <td role="cell">${renderPerson(actor, actorName(actor))}</td>
                    <td role="cell" class="what"><span class="mono">${method} ${route}</span></td>
                    <td role="cell" class="muted">
                      ${clientId ?? ''}
                      ${userDigest ? html`<span class="mono block">${text.user(userDigest)}</span>` : nothing}
                    </td>
                    <td role="cell" class=${(status ?? 0) >= 400 ? 'danger' : 'muted'}>${status ?? '–'}</td>
                    <td role="cell" class="mono muted">${address}</td>
                  </tr>`
              )}
            </tbody>
          </table>`
    }
  </div>`

/** A page of the log, with links to the others. */
export const renderAuditPage = (
  { entries, next }: { readonly entries: readonly AuditEntry[]; readonly next?: string },
  search: URLSearchParams,
  onChange: (change: Readonly<Record<string, string | undefined>>) => void
): TemplateResult =>
  html`${renderAudit(entries)}
    <div class="pager">
      <label class="check"
        ><input
          type="checkbox"
          .checked=${search.has('all')}
          @change=${() => onChange({ all: search.has('all') ? undefined : '1', before: undefined })}
        />${text.everywhere}</label
      ><span class="end"
        >${
          search.has('before')
            ? html`<button type="button" class="button" @click=${() => onChange({ before: undefined })}>
                ${text.newest}
              </button>`
            : nothing
        }${
          next === undefined
            ? nothing
            : html`<button type="button" class="button" @click=${() => onChange({ before: next })}>
                ${text.older}
              </button>`
        }</span
      >
    </div>`
