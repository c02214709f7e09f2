// The versions of a type: drafts, what is live, a comparison with it, and roll back.

import { html, nothing, type TemplateResult } from 'lit'

import type { TypeDiff, VersionHead, TypeVersionPage } from '../api/types.ts'
import { renderDiff, renderDiffCount } from '../view/diff.ts'
import { icon, SUCCESS, UNDO } from '../view/icons.ts'
import { renderPerson } from '../view/status.ts'
import { renderTime } from '../view/time.ts'
import { actorName } from '../words.ts'
import { typeWords as text } from '../words/types.ts'

export interface VersionActions {
  readonly canPublish: boolean
  onCompare(version: number): void
  onRollBack(version: number): void
}

export function renderVersions(
  { publications, versions }: TypeVersionPage,
  diff: TypeDiff | undefined,
  { canPublish, onCompare, onRollBack }: VersionActions
): TemplateResult {
  const live = versions.find(({ isPublished }) => isPublished)
  const publishedAt = (version: number): string | undefined =>
    publications.find(one => one.version === version)?.at
  const renderVersion = ({
    createdAt,
    createdBy,
    isPublished,
    note,
    number
  }: VersionHead): TemplateResult => {
    const at = publishedAt(number) ?? createdAt
    const isOlder = live !== undefined && number < live.number
    return html`<li aria-current=${diff?.to === number && !isPublished ? 'true' : nothing}>
      <b class="version-number">${number}</b>
      <span class="grow"
        >${renderPerson(createdBy, actorName(createdBy))}<span class="muted block"
          >${renderTime(at)}${note ? html`. ${note}` : nothing}</span
        ></span
      >${
        isPublished
          ? html`<span class="chip" data-tone="good">${icon(SUCCESS)}${text.isLive}</span>`
          : html`<button type="button" class="button quiet" @click=${() => onCompare(number)}>
                ${text.compare}</button
              >${
                isOlder && canPublish
                  ? html`<button type="button" class="button" @click=${() => onRollBack(number)}>
                      ${icon(UNDO, 'small')}${text.rollBack}
                    </button>`
                  : nothing
              }`
      }
    </li>`
  }
  return html`<div class="section-head">
      <h2>${text.parts.versions}</h2>
      <p>${text.versionsWhy}</p>
    </div>
    <div class="two">
      <div class="card">
        <ol class="rows versions">
          ${versions.map(renderVersion)}
        </ol>
      </div>
      ${
        diff
          ? html`<div class="card">
              <div class="card-head">
                <h3>${text.against(diff.to, diff.from)}</h3>
                <span class="end">${renderDiffCount(diff.added, diff.removed)}</span>
              </div>
              ${
                diff.diff
                  ? renderDiff(diff.diff, text.difference)
                  : html`<p class="card-body muted">${text.same}</p>`
              }
            </div>`
          : nothing
      }
    </div>`
}
