// What stands in place of rows: nothing there, nothing found, a failure, a skeleton.

import { html, nothing, type TemplateResult } from 'lit'

import type { Problem } from '../api/problem.ts'
import { words } from '../words.ts'
import { icon, OFFLINE, RETRY, WARNING } from './icons.ts'

type Content = TemplateResult | string | typeof nothing

/** A sentence, why, and one button. */
export const renderBlank = (
  path: string,
  title: string,
  text: Content,
  button: Content = nothing
): TemplateResult =>
  html`<div class="blank">
    ${icon(path)}<b>${title}</b>
    <p>${text}</p>
    ${button}
  </div>`

/** Says what happened, in the server's words, and the id to look for in its log. */
export function problemText({ detail, status, title }: Problem): string {
  if (status === 0) return words.problem.noAnswer
  return detail || title
}

/** In place of a whole list or page. */
export function renderProblem(problem: Problem, onRetry?: () => void): TemplateResult {
  const { instance, status } = problem
  const title = words.problem.titles[status] ?? words.problem.title
  return renderBlank(
    status === 0 ? OFFLINE : WARNING,
    title,
    html`${problemText(problem)}${
      instance
        ? html` <span class="mono">${words.problem.request} ${instance.split(/[/:]/).at(-1)}</span>`
        : nothing
    }`,
    onRetry
      ? html`<button type="button" class="button" @click=${onRetry}>
          ${icon(RETRY, 'small')}${words.retry}
        </button>`
      : nothing
  )
}

/** Above content that stays, such as after a failed refresh. */
export const renderProblemNote = (problem: Problem, onRetry: () => void): TemplateResult =>
  html`<div class="note" data-tone="bad" role="alert">
    ${icon(WARNING)}
    <p>${problemText(problem)}</p>
    <button type="button" class="button" @click=${onRetry}>${icon(RETRY, 'small')}${words.retry}</button>
  </div>`

export type BoneSize = 's' | 'm' | 'l' | 'xl'

export const renderBone = (size: BoneSize = 'm'): TemplateResult =>
  html`<i class="bone" data-size=${size}></i>`

/** Rows of a table in their final height. */
export const renderSkeletonRows = (cells: readonly BoneSize[], count = 5): TemplateResult =>
  html`${Array.from(
    { length: count },
    () =>
      html`<tr aria-hidden="true">
        ${cells.map(size => html`<td>${renderBone(size)}</td>`)}
      </tr>`
  )}`
