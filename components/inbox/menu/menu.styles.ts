// The menus of the header and of a row.

import { css } from '@lit/reactive-element'

export const menu = css`
  .menu {
    inset: auto;
    inline-size: 264px;
    max-inline-size: calc(100% - 8px);
    margin: 0;
    margin-block: 4px;
    padding: var(--_2);
    border: 0;
    border-radius: calc(var(--_radius-m) + var(--_1));
    background: var(--_raised);
    color: var(--_text);
    box-shadow: var(--_shadow);
  }
  /* Only while it is open: WebKit 2.50 hangs when the panel with the anchor of a closed menu closes. */
  .menu:popover-open {
    position-area: self-block-end span-self-inline-start;
    position-try-fallbacks: flip-block;
  }
  .menu button {
    display: flex;
    align-items: center;
    gap: var(--_3);
    inline-size: 100%;
    min-block-size: var(--_touch);
    padding: var(--_1) var(--_3);
    border-radius: var(--_radius-s);
    font-size: var(--_text-md);
    text-align: start;
  }
  .menu button:hover {
    background: var(--_hover);
  }
  .menu button:focus-visible {
    outline-offset: -2px;
  }
  .menu button[aria-disabled='true'] {
    opacity: 0.4;
    cursor: default;
    background: none;
  }
  .menu svg {
    flex: none;
    color: var(--_muted);
  }
  .menu .tick {
    color: var(--_accent);
  }
  .menu-name {
    flex: 1;
    min-inline-size: 0;
  }
  .menu-text {
    display: block;
    color: var(--_muted);
    font-size: var(--_text-sm);
    line-height: calc(20 / 13);
  }
  .menu-hint {
    color: var(--_muted);
    font-size: var(--_text-sm);
    white-space: nowrap;
    font-variant-numeric: tabular-nums;
  }
  .menu-heading {
    padding: var(--_1) var(--_3) var(--_2);
    color: var(--_muted);
    font-size: var(--_text-sm);
    font-weight: 500;
  }
  .menu hr {
    margin: var(--_2) var(--_3);
    border: 0;
    border-block-start: 1px solid var(--_line);
  }
  @media (forced-colors: active) {
    .menu {
      border: 1px solid CanvasText;
    }
    .menu button:hover {
      outline: 1px dashed CanvasText;
      outline-offset: -1px;
    }
    .menu button[aria-disabled='true'] {
      color: GrayText;
      opacity: 1;
    }
  }
`
