// Steps with their numbers, and code that can be copied.

import { css } from 'lit'

export const styles = css`
  .columns {
    margin-block-start: 12px;
  }
  .steps > li {
    position: relative;
    display: grid;
    grid-template-columns: 28px minmax(0, 1fr);
    column-gap: 14px;
    padding-block-end: 26px;
  }
  .steps > li:not(:last-child)::before {
    content: '';
    position: absolute;
    inset-block: 32px 4px;
    inset-inline-start: 13.25px;
    border-inline-start: 1.5px solid var(--_line);
  }
  .number-mark {
    display: grid;
    place-items: center;
    inline-size: 28px;
    block-size: 28px;
    border-radius: 50%;
    box-shadow: inset 0 0 0 1.5px var(--_control);
    font-weight: 600;
    color: var(--_muted);
  }
  [data-state='done'] > .number-mark {
    background: var(--_success-wash);
    color: var(--_success);
    box-shadow: none;
  }
  [data-state='now'] > .number-mark {
    background: var(--_accent);
    color: var(--_on-accent);
    box-shadow: none;
  }
  h2 {
    font-size: 1rem;
    line-height: 28px;
    font-weight: 650;
    letter-spacing: -0.01em;
  }
  .card-head h2 {
    letter-spacing: normal;
  }
  [data-state='done'] h2 {
    color: var(--_muted);
    font-weight: 550;
  }
  .steps p {
    max-inline-size: 60ch;
    font-size: var(--_m);
    color: var(--_muted);
    text-wrap: pretty;
  }
  .steps .actions {
    margin-block-start: 12px;
  }
  .code {
    position: relative;
    direction: ltr;
    margin-block-start: 12px;
    border-radius: 12px;
    background: light-dark(oklch(0.225 0.012 265), oklch(0.165 0.008 265));
    box-shadow: inset 0 0 0 1px light-dark(transparent, var(--_line));
    color: oklch(0.94 0.004 265);
  }
  pre {
    padding: 14px 96px 14px 16px;
    font: 12.5px/21px var(--_mono);
    font-variant-ligatures: none;
    white-space: pre-wrap;
    overflow-wrap: anywhere;
    direction: ltr;
    unicode-bidi: isolate;
  }
  .copy {
    position: absolute;
    inset-block-start: 8px;
    inset-inline-end: 8px;
    display: inline-flex;
    align-items: center;
    gap: 6px;
    min-block-size: 30px;
    padding-inline: 9px 11px;
    border-radius: 8px;
    background: oklch(0.3 0.012 265);
    color: oklch(0.92 0.01 265);
    font-weight: 550;
    font-size: var(--_xs);
  }
  .dot {
    inline-size: 8px;
    block-size: 8px;
    border-radius: 50%;
    background: var(--_success);
  }
  .spoken {
    position: absolute;
    inline-size: 1px;
    block-size: 1px;
    overflow: clip;
    clip-path: inset(50%);
    white-space: nowrap;
  }
  @media (forced-colors: active) {
    .code {
      border: 1px solid CanvasText;
    }
  }
`
