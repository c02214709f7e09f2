// Buttons, links, keys and chips.

import { css } from 'lit'

export const controls = css`
  .button {
    display: inline-flex;
    align-items: center;
    justify-content: center;
    gap: 6px;
    min-block-size: var(--_control-size);
    padding-inline: 12px;
    border-radius: 8px;
    font-size: var(--_s);
    font-weight: 550;
    white-space: nowrap;
    box-shadow: inset 0 0 0 1px var(--_edge);
    transition: background-color var(--_fast);
  }
  .button:hover {
    background: var(--_hover);
  }
  .button:has(> svg:first-child) {
    padding-inline-start: 9px;
  }
  .button:has(> svg:last-child:not(:first-child)) {
    padding-inline-end: 8px;
  }
  .button:focus-visible {
    border-radius: 8px;
  }
  .main {
    background: var(--_accent);
    color: var(--_on-accent);
    box-shadow: none;
  }
  .main:hover {
    background: color-mix(in oklab, var(--_accent) 88%, var(--_text));
  }
  .quiet {
    box-shadow: none;
    color: var(--_muted);
  }
  .quiet:hover {
    color: var(--_text);
  }
  .risky {
    color: var(--_danger);
    box-shadow: inset 0 0 0 1px color-mix(in oklab, var(--_danger) 45%, transparent);
  }
  .risky:hover {
    background: var(--_danger-wash);
  }
  .destroy {
    background: var(--_danger);
    color: var(--_on-danger);
    box-shadow: none;
  }
  .destroy:hover {
    background: color-mix(in oklab, var(--_danger) 88%, var(--_text));
  }
  .button:is([disabled], [aria-disabled='true']) {
    opacity: 0.55;
    cursor: default;
  }
  .icon-button {
    display: inline-grid;
    place-items: center;
    flex: none;
    inline-size: var(--_control-size);
    block-size: var(--_control-size);
    border-radius: 8px;
    color: var(--_muted);
    transition: background-color var(--_fast);
  }
  .icon-button:hover {
    background: var(--_hover);
    color: var(--_text);
  }
  .icon-button.tiny {
    inline-size: 24px;
    block-size: 24px;
    border-radius: 6px;
  }
  .link {
    font-weight: 500;
    text-decoration: underline;
    text-decoration-thickness: 1px;
    text-decoration-color: color-mix(in oklab, currentColor 35%, transparent);
    text-underline-offset: 3px;
  }
  .link:hover {
    text-decoration-color: currentColor;
  }
  kbd {
    display: inline-grid;
    place-items: center;
    min-inline-size: 20px;
    block-size: 20px;
    padding-inline: 5px;
    border-radius: 5px;
    background: var(--_soft);
    box-shadow: inset 0 0 0 1px var(--_line);
    font:
      500 11px / 1 Inter,
      system-ui,
      sans-serif;
    color: var(--_muted);
  }
  .chip {
    display: inline-flex;
    align-items: center;
    gap: 4px;
    min-block-size: 24px;
    padding-inline: 8px;
    border-radius: 6px;
    background: var(--_soft);
    font-size: var(--_xs);
    font-weight: 500;
    white-space: nowrap;
  }
  .chip svg {
    inline-size: 14px;
    block-size: 14px;
    color: var(--_muted);
  }
  .chip:is([data-tone='warning'], [data-tone='bad'], [data-tone='good']) svg {
    color: inherit;
  }
  .chip[data-tone='warning'] {
    background: var(--_warning-wash);
    color: var(--_warning);
  }
  .chip[data-tone='bad'] {
    background: var(--_danger-wash);
    color: var(--_danger);
  }
  .chip[data-tone='good'] {
    background: var(--_success-wash);
    color: var(--_success);
  }
  .chip[data-tone='line'] {
    background: none;
    box-shadow: inset 0 0 0 1px var(--_line);
    color: var(--_muted);
  }
  @media (prefers-contrast: more) {
    .chip,
    kbd {
      box-shadow: inset 0 0 0 1px currentColor;
    }
  }
  @media (forced-colors: active) {
    .button,
    .chip,
    kbd {
      border: 1px solid CanvasText;
    }
    .main,
    .destroy {
      forced-color-adjust: none;
      background: Highlight;
      color: HighlightText;
    }
  }
`
