// What a list shows in place of rows, and notes: blanks, skeletons, problems.

import { css } from 'lit'

export const feedback = css`
  .blank {
    display: grid;
    justify-items: center;
    align-content: center;
    gap: 4px;
    padding: 40px 24px;
    text-align: center;
    color: var(--_muted);
  }
  .blank b {
    font-size: var(--_m);
    font-weight: 650;
    color: var(--_text);
  }
  .blank > svg {
    inline-size: 28px;
    block-size: 28px;
    stroke-width: 1.1;
    margin-block-end: 8px;
  }
  .blank .button {
    margin-block-start: 12px;
    color: var(--_text);
  }
  .blank p {
    max-inline-size: 44ch;
    text-wrap: balance;
  }
  .bone {
    display: inline-block;
    block-size: 10px;
    inline-size: 72px;
    border-radius: 99px;
    background: color-mix(in oklab, var(--_text) 11%, transparent);
    animation: breathe 1.6s ease-in-out infinite alternate;
    vertical-align: middle;
  }
  .bone[data-size='s'] {
    inline-size: 44px;
  }
  .bone[data-size='l'] {
    inline-size: 128px;
  }
  .bone[data-size='xl'] {
    inline-size: min(220px, 90%);
  }
  @keyframes breathe {
    to {
      opacity: 0.45;
    }
  }
  .note {
    display: grid;
    grid-template-columns: 20px minmax(0, 1fr) auto;
    gap: 4px 10px;
    align-items: start;
    padding: 10px 14px;
    border-radius: 10px;
    background: var(--_sunk);
    box-shadow: inset 0 0 0 1px var(--_line);
  }
  .note p {
    text-wrap: pretty;
  }
  .note > svg {
    color: var(--_muted);
  }
  .note:has(> .button) > :is(svg, p, div) {
    margin-block: 6px;
  }
  .note[data-tone='warning'] {
    background: var(--_warning-wash);
    box-shadow: inset 0 0 0 1px color-mix(in oklab, var(--_warning) 30%, transparent);
  }
  .note[data-tone='warning'] > svg {
    color: var(--_warning);
  }
  .note[data-tone='bad'] {
    background: var(--_danger-wash);
    box-shadow: inset 0 0 0 1px color-mix(in oklab, var(--_danger) 30%, transparent);
  }
  .note[data-tone='bad'] > svg {
    color: var(--_danger);
  }
  .meter {
    display: flex;
    block-size: 6px;
    border-radius: 3px;
    background: color-mix(in oklab, var(--_text) 10%, transparent);
    overflow: clip;
  }
  .meter > i {
    display: block;
    block-size: 100%;
    background: var(--_accent);
  }
  .meter > i[data-tone='bad'] {
    background: var(--_danger);
  }
  @media (width < 840px) {
    .note {
      grid-template-columns: 20px minmax(0, 1fr);
    }
    .note > .button {
      grid-column: 2;
      justify-self: start;
    }
  }
  @media (prefers-reduced-motion: reduce) {
    .bone {
      animation: none;
    }
  }
  @media (forced-colors: active) {
    .note,
    .meter {
      border: 1px solid CanvasText;
    }
    .meter > i {
      forced-color-adjust: none;
      background: Highlight;
    }
  }
`
