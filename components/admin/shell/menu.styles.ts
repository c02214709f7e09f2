// Menus of the shell.

import { css } from 'lit'

export const menu = css`
  .menu {
    inset: auto;
    position-area: block-end span-inline-end;
    position-try-fallbacks: flip-block, flip-inline;
    inline-size: 240px;
    max-block-size: 60dvb;
    margin: 4px 0;
    padding: 6px;
    border: 0;
    border-radius: 12px;
    background: var(--_raised);
    color: var(--_text);
    box-shadow: var(--_shadow);
    overflow-y: auto;
  }
  .menu p {
    padding: 6px 10px 4px;
    font-size: var(--_xs);
    line-height: 16px;
    font-weight: 500;
    color: var(--_muted);
  }
  .menu > :is(a, button, label) {
    display: flex;
    align-items: center;
    gap: 10px;
    inline-size: 100%;
    min-block-size: max(36px, var(--_control-size));
    padding: 6px 10px;
    border-radius: 8px;
    text-align: var(--_start);
    font-weight: 500;
  }
  .menu > :is(a, button):hover,
  .menu > a[aria-current]:not([aria-current='false']) {
    background: var(--_hover);
  }
  .menu svg {
    color: var(--_muted);
  }
  .menu hr {
    margin: 6px 10px;
    border: 0;
    border-block-start: 1px solid var(--_line);
  }
  @media (forced-colors: active) {
    .menu {
      border: 1px solid CanvasText;
    }
  }
`
