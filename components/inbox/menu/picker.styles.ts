// The fields for the day and time of a snooze.

import { css } from '@lit/reactive-element'

export const picker = css`
  .picker {
    inline-size: 308px;
  }
  .picker form {
    display: grid;
    grid-template-columns: 1.2fr 1fr;
    gap: var(--_2);
    padding: var(--_1) var(--_3) var(--_3);
  }
  .picker label {
    display: grid;
    gap: 4px;
    min-inline-size: 0;
    color: var(--_muted);
    font-size: var(--_text-sm);
  }
  .picker input {
    box-sizing: border-box;
    inline-size: 100%;
    min-inline-size: 0;
    min-block-size: var(--_touch);
    padding-inline: var(--_2);
    border: 1px solid var(--_control);
    border-radius: var(--_radius-s);
    background: var(--_raised);
    color: var(--_text);
    font: inherit;
    font-size: max(1.077em, 14px);
  }
  .menu.picker .btn {
    grid-column: 1 / -1;
    justify-content: center;
    border-radius: var(--_radius-m);
    background: var(--_accent);
    color: var(--_on-accent);
    box-shadow: none;
  }
  .menu.picker .btn[aria-disabled='true'] {
    background: var(--_hover);
    color: var(--_muted);
    opacity: 1;
  }
  /* Fields of iOS below 16 px make the page zoom in. */
  @media (pointer: coarse) {
    .picker input {
      font-size: 16px;
    }
  }
  @media (forced-colors: active) {
    .menu.picker .btn:not([aria-disabled='true']) {
      forced-color-adjust: none;
      border: 1px solid Highlight;
      background: Highlight;
      color: HighlightText;
    }
  }
`
