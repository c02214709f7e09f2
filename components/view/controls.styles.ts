// Buttons and other small controls.

import { css } from '@lit/reactive-element'

export const controls = css`
  .icon {
    display: inline-grid;
    place-items: center;
    flex: none;
    inline-size: var(--_touch);
    block-size: var(--_touch);
    border-radius: var(--_radius-m);
    color: var(--_muted);
    transition:
      background-color var(--_fast),
      color var(--_fast);
  }
  .icon:hover {
    background: var(--_hover);
    color: var(--_text);
  }
  .icon:active {
    background: color-mix(in oklab, var(--_text) 11%, transparent);
  }
  .icon[aria-disabled='true'] {
    opacity: 0.4;
    pointer-events: none;
  }
  .btn {
    display: inline-flex;
    align-items: center;
    gap: var(--_2);
    min-block-size: var(--_touch);
    padding-inline: var(--_4);
    border-radius: var(--_radius-m);
    font-size: var(--_text-md);
    font-weight: 550;
    box-shadow: inset 0 0 0 1px color-mix(in oklab, var(--_text) 20%, transparent);
    transition: background-color var(--_fast);
  }
  .btn:hover {
    background: var(--_hover);
  }
  h2,
  h3,
  h4,
  p {
    margin: 0;
  }
  .small {
    inline-size: 16px;
    block-size: 16px;
    stroke-width: 1.75;
  }
  .mirror:dir(rtl) {
    scale: -1 1;
  }
  @media (forced-colors: active) {
    .btn {
      border: 1px solid ButtonText;
    }
    /* They consist only of colors. */
    .mark,
    .switch input {
      forced-color-adjust: none;
    }
  }
`
