// Buttons and reply fields of a row.

import { css } from '@lit/reactive-element'

export const answers = css`
  /* Above the link that covers the row. */
  .acts,
  .reply,
  .state {
    position: relative;
    z-index: 1;
  }
  .acts {
    display: flex;
    flex-wrap: wrap;
    gap: var(--_2);
    margin-block-start: var(--_2);
    inline-size: fit-content;
    max-inline-size: 100%;
  }
  .acts .btn {
    position: relative;
    box-sizing: border-box;
    min-block-size: 32px;
    padding-inline: var(--_3);
    border-radius: calc(var(--_radius-m) - 2px);
    font-size: var(--_text-sm);
    line-height: calc(20 / 13);
    color: var(--_text);
    text-decoration: none;
  }
  .acts .danger {
    color: var(--_danger);
  }
  .acts .main {
    background: var(--_accent);
    color: var(--_on-accent);
    box-shadow: none;
  }
  .acts .main:hover {
    background: color-mix(in oklab, var(--_accent) 90%, var(--_text));
  }
  .acts [aria-disabled] {
    opacity: 0.55;
    cursor: default;
  }
  .acts [aria-busy] {
    opacity: 1;
  }
  .acts .main[aria-disabled] {
    opacity: 1;
    background: color-mix(in oklab, var(--_accent) 86%, var(--_raised));
  }
  .acts [aria-busy] > span:not(.spin) {
    opacity: 0;
  }
  .acts .spin {
    position: absolute;
    inset: 0;
    margin: auto;
  }
  .spin {
    box-sizing: border-box;
    inline-size: 14px;
    block-size: 14px;
    flex: none;
    border-radius: 50%;
    border: 2px solid color-mix(in oklab, currentColor 35%, transparent);
    border-block-start-color: currentColor;
    animation: spin 800ms linear infinite;
  }
  @keyframes spin {
    to {
      rotate: 1turn;
    }
  }
  .state {
    display: flex;
    gap: 6px;
    margin-block-start: 6px;
    padding-block: 2px;
    font-size: var(--_text-sm);
    line-height: 20px;
    color: var(--_muted);
  }
  /* In the middle of the first line. */
  .state > svg {
    flex: none;
    margin-block: 2px;
  }
  .state > span {
    min-inline-size: 0;
    overflow-wrap: anywhere;
  }
  .state b {
    font-weight: 600;
  }
  [data-state='good'] :is(svg, b) {
    color: var(--notif-success, light-dark(oklch(0.5 0.13 150), oklch(0.79 0.14 155)));
  }
  [data-state='bad'] :is(svg, b) {
    color: var(--_danger);
  }
  .state button {
    min-block-size: 24px;
    padding-inline: 6px;
    border-radius: var(--_radius-s);
    font-weight: 600;
    color: var(--_text);
    text-decoration: underline;
    text-decoration-thickness: 1px;
    text-underline-offset: 3px;
  }
  .reply {
    margin-block-start: var(--_2);
  }
  .field {
    display: flex;
    align-items: end;
    gap: 2px;
    padding: 4px;
    border-radius: var(--_radius-m);
    background: var(--_surface);
    box-shadow: inset 0 0 0 1px var(--_control);
  }
  .field:focus-within {
    box-shadow: inset 0 0 0 2px var(--_focus);
  }
  .field[data-bad] {
    box-shadow: inset 0 0 0 1.5px var(--_danger);
  }
  .field textarea {
    flex: 1;
    min-inline-size: 0;
    box-sizing: border-box;
    min-block-size: 28px;
    max-block-size: 108px;
    field-sizing: content;
    resize: none;
    padding: 4px 8px;
    border: 0;
    background: none;
    font: inherit;
    font-size: var(--_text-md);
    line-height: 20px;
    color: inherit;
  }
  /* The field has the ring. */
  .field textarea:focus {
    outline: none;
  }
  .field textarea::placeholder {
    color: var(--_muted);
    opacity: 1;
  }
  .field textarea:read-only {
    color: var(--_muted);
  }
  .field .icon {
    --_touch: 28px;
    border-radius: calc(var(--_radius-m) - 4px);
  }
  .field .icon.main {
    background: var(--_accent);
    color: var(--_on-accent);
  }
  .field .icon svg {
    inline-size: 16px;
    block-size: 16px;
  }
  .field .spin {
    margin: 7px;
    color: var(--_muted);
  }
  .hint {
    margin-block-start: 4px;
    font-size: var(--_text-sm);
    color: var(--_muted);
  }
  .said {
    margin-block-start: 6px;
    padding-inline-start: 10px;
    border-inline-start: 2px solid color-mix(in oklab, var(--_text) 18%, transparent);
    font-size: var(--_text-md);
    color: var(--_muted);
    white-space: pre-wrap;
    overflow-wrap: anywhere;
  }
  .said b {
    font-weight: 600;
    color: var(--_text);
  }
  /* 36 drawn, 44 to hit. */
  @media (pointer: coarse) {
    .acts .btn {
      min-block-size: 36px;
      padding-inline: var(--_4);
    }
    .acts .btn::after {
      content: '';
      position: absolute;
      inset: -4px;
    }
    .field .icon {
      --_touch: 44px;
    }
    .state button {
      min-block-size: 44px;
    }
  }
  @media (prefers-reduced-motion: reduce) {
    .spin {
      border-color: currentColor;
      animation: breathe 1.6s ease-in-out infinite alternate;
    }
  }
  @keyframes breathe {
    to {
      opacity: 0.4;
    }
  }
  @media (forced-colors: active) {
    /* A browser forces the color of text, not of drawings that have one of their own. */
    .state[data-state] > svg {
      color: inherit;
    }
    .acts .main,
    .field .icon.main {
      forced-color-adjust: none;
      background: Highlight;
      color: HighlightText;
    }
    .field {
      border: 1px solid ButtonText;
    }
    .field:focus-within {
      border-color: Highlight;
    }
  }
`
