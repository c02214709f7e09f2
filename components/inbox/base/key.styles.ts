// The cap of a key.

import { css } from '@lit/reactive-element'

export const keyCap = css`
  .key {
    display: inline-grid;
    place-items: center;
    min-inline-size: 20px;
    block-size: 20px;
    padding-inline: 5px;
    border-radius: 5px;
    box-shadow: inset 0 0 0 1px color-mix(in oklab, currentColor 28%, transparent);
    font-family: inherit;
    font-size: 12px;
    font-weight: 500;
    color: var(--_muted);
  }
  @media (forced-colors: active) {
    .key {
      border: 1px solid CanvasText;
    }
  }
`
