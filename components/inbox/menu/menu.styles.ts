// The menu of a notification on touch screens.

import { css } from '@lit/reactive-element'

export const menu = css`
  .menu {
    inset: auto;
    position-area: block-end span-inline-start;
    position-try-fallbacks: flip-block;
    inline-size: max-content;
    min-inline-size: 208px;
    margin: 0;
    padding: var(--_2);
    border: 0;
    border-radius: calc(var(--_radius-m) + var(--_1));
    background: var(--_raised);
    color: var(--_text);
    box-shadow: var(--_shadow);
  }
  .menu button {
    display: flex;
    align-items: center;
    gap: var(--_3);
    inline-size: 100%;
    min-block-size: var(--_touch);
    padding-inline: var(--_3);
    border-radius: var(--_radius-s);
    font-size: var(--_text-md);
    text-align: start;
  }
  .menu button:is(:hover, :focus-visible) {
    background: var(--_hover);
  }
  .menu svg {
    color: var(--_muted);
  }

  @supports not (position-area: block-end) {
    .menu {
      inset: auto 16px 16px auto;
    }
  }
  @media (forced-colors: active) {
    .menu {
      border: 1px solid CanvasText;
    }
  }
`
