// The head of a type: what is live, what is not saved or wrong, and what can be done; and what somebody else saved meanwhile.

import { html, nothing, type TemplateResult } from 'lit'

import type { AdminScope } from '../api/scope.ts'
import type { NotificationType } from '../api/types.ts'
import { renderDiff, renderDiffCount } from '../view/diff.ts'
import { DISCARDED, DOWNLOAD, FAILURE, icon, LOCK, NEXT, SEND, SUCCESS, WARNING } from '../view/icons.ts'
import { formatAgo } from '../view/time.ts'
import { actorName, words } from '../words.ts'
import { typeWords as text } from '../words/types.ts'
import type { Draft } from './draft.ts'
import type { Orders } from './orders.ts'

export interface HeadProps {
  readonly draft: Draft
  readonly errors: number
  readonly head: NotificationType | undefined
  readonly id: string
  readonly isReadOnly: boolean
  readonly orders: Orders
  readonly publishEtag: string | undefined
  readonly scope: AdminScope | undefined
  readonly sendId: string
  pageUrl(page: string): string
}

function renderActions({ draft, errors, head, id, isReadOnly, orders, ...rest }: HeadProps): TemplateResult {
  const { publishEtag, scope, sendId } = rest
  if (!scope || !head) return html``
  const { isChanged, isSaving, version } = draft
  const isLive = !isChanged && version?.number === head.version
  const next = (version?.number ?? 0) + (isChanged ? 1 : 0)
  return html`<div class="actions">
    ${
      scope.can('send') && draft.content?.templates['EMAIL']
        ? html`<button type="button" class="button" @click=${() => orders.test(scope, id, sendId)}>
            ${icon(SEND, 'small')}${text.test}
          </button>`
        : nothing
    }
    <button type="button" class="button" @click=${() => orders.export(scope, id)}>
      ${icon(DOWNLOAD, 'small')}${text.export}
    </button>
    ${
      scope.isOperator
        ? html`<button type="button" class="button" @click=${() => orders.promote(scope, id)}>
            ${text.promote}
          </button>`
        : nothing
    }
    ${
      isReadOnly
        ? nothing
        : html`${
              isChanged
                ? html`<button type="button" class="button quiet" @click=${() => orders.discard()}>
                    ${text.discard}
                  </button>`
                : nothing
            }<button
              type="button"
              class="button"
              ?disabled=${!isChanged || isSaving}
              @click=${() => orders.save(scope, id)}
            >
              ${text.save}</button
            ><button
              type="button"
              class="button main"
              ?disabled=${isLive || errors > 0 || isSaving}
              aria-describedby="why-not"
              @click=${() => orders.publish(scope, id, publishEtag)}
            >
              ${text.publish(next)}
            </button>`
    }
  </div>`
}

/** Links to a part of a shadow root do not scroll. */
function scrollTo({ currentTarget }: MouseEvent, part: string): void {
  const root = (currentTarget as Element).getRootNode() as ShadowRoot
  root.getElementById(part)?.scrollIntoView({ behavior: 'smooth', block: 'start' })
}

export function renderHead(props: HeadProps): TemplateResult {
  const { errors, head, id, pageUrl } = props
  return html`<nav class="crumbs" aria-label=${words.pages.types}>
      <a href=${pageUrl('types')}>${words.pages.types}</a>${icon(NEXT, 'mirror')}<span class="mono clip"
        >${id}</span
      >
    </nav>
    <header class="head">
      <div class="head-text"><h1>${head?.title ?? id}</h1></div>
      ${renderActions(props)}
    </header>
    <div class="meta">
      ${
        head
          ? html`<span class="status" data-tone=${head.enabled ? 'good' : 'muted'}
                >${icon(head.enabled ? SUCCESS : DISCARDED, 'small')}${head.enabled ? text.on : text.off}</span
              ><span>${head.version === undefined ? text.notLive : text.live(head.version)}</span>`
          : nothing
      }
      <span id="why-not" class="danger"
        >${errors > 0 ? html`${icon(FAILURE, 'small')}${text.errors(errors)}` : nothing}</span
      >
    </div>
    ${
      head?.managedBy
        ? html`<div class="note">
            ${icon(LOCK)}
            <p><b>${text.files}.</b> ${text.filesWhy}</p>
          </div>`
        : nothing
    }
    <nav class="tabs" aria-label=${text.tablist}>
      ${(['template', 'settings', 'versions'] as const).map(
        part =>
          html`<button type="button" @click=${(event: MouseEvent) => scrollTo(event, part)}>
            ${text.parts[part]}
          </button>`
      )}<a href=${pageUrl(`sends?type=${encodeURIComponent(id)}`)}>${text.parts.sends}</a>
    </nav>`
}

export function renderStale(draft: Draft, onKeep: () => void): TemplateResult | typeof nothing {
  const { stale } = draft
  if (!stale) return nothing
  const { diff, theirs } = stale
  return html`<section class="card stale" role="alert" aria-label=${text.staleTitle}>
    <div class="card-head">
      ${icon(WARNING)}
      <h2>${text.staleTitle}</h2>
      ${diff ? html`<span class="end">${renderDiffCount(diff.added, diff.removed)}</span>` : nothing}
    </div>
    <p class="card-body">${text.staleWhy(actorName(theirs.createdBy), formatAgo(theirs.createdAt))}</p>
    ${diff?.diff ? renderDiff(diff.diff, text.difference) : nothing}
    <div class="card-foot">
      <button type="button" class="button" @click=${() => draft.takeTheirs()}>${text.takeTheirs}</button>
      <button type="button" class="button main" @click=${onKeep}>${text.keepMine}</button>
    </div>
  </section>`
}
