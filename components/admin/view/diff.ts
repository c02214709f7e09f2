// A unified diff as lines with numbers, and the chip with how many are added and removed.

import { css, html, type TemplateResult } from 'lit'

export interface DiffLine {
  readonly kind: 'same' | 'added' | 'removed' | 'gap'
  /** In the newer text; of a removed line in the older one. */
  readonly line: number | undefined
  readonly text: string
}

/** Lines of the headers of files are left out. */
export function parseDiff(diff: string): readonly DiffLine[] {
  const lines: DiffLine[] = []
  let before = 0
  let after = 0
  for (const text of diff.split('\n')) {
    const hunk = /^@@ -(\d+)(?:,\d+)? \+(\d+)/.exec(text)
    if (hunk) {
      if (lines.length > 0) lines.push({ kind: 'gap', line: undefined, text: '' })
      before = Number(hunk[1])
      after = Number(hunk[2])
    } else if (before === 0 && after === 0) continue
    else if (text.startsWith('+')) lines.push({ kind: 'added', line: after++, text: text.slice(1) })
    else if (text.startsWith('-')) lines.push({ kind: 'removed', line: before++, text: text.slice(1) })
    else if (text.startsWith(' ')) {
      lines.push({ kind: 'same', line: after++, text: text.slice(1) })
      before++
    }
  }
  return lines
}

const SIGNS = { added: '+', gap: '⋯', removed: '−', same: '' } as const

export const renderDiff = (diff: string, label: string): TemplateResult =>
  html`<div class="diff" tabindex="0" role="region" aria-label=${label}>
    ${parseDiff(diff).map(
      ({ kind, line, text }) =>
        html`<span data-kind=${kind}><i>${line ?? ''}</i><b>${SIGNS[kind]}</b><span>${text}</span></span>`
    )}
  </div>`

export const renderDiffCount = (added: number, removed: number): TemplateResult =>
  html`<span class="chip" data-tone="line"
    ><span class="added">+${added}</span><span class="danger">−${removed}</span></span
  >`

export const diffStyles = css`
  .diff {
    max-block-size: 420px;
    padding-block: 8px;
    overflow: auto;
    background: var(--_sunk);
    font: 12px/20px var(--_mono);
    font-variant-ligatures: none;
    color: var(--_text);
    direction: ltr;
    text-align: left;
    unicode-bidi: isolate;
  }
  .diff > span {
    display: grid;
    grid-template-columns: 40px 24px minmax(0, 1fr);
    min-inline-size: max-content;
    padding-inline-end: 16px;
    white-space: pre;
  }
  .diff i {
    font-style: normal;
    text-align: end;
    color: var(--_muted);
  }
  .diff b {
    text-align: center;
  }
  .diff [data-kind='added'] {
    background: var(--_success-wash);
  }
  .diff [data-kind='removed'] {
    background: var(--_danger-wash);
  }
  .diff [data-kind='added'] b,
  .added {
    color: var(--_success);
  }
  .diff [data-kind='removed'] b {
    color: var(--_danger);
  }
`
