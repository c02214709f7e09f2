// The switch of a channel, and the field for its frequency.

import { css } from '@lit/reactive-element'

export const switches = css`
  .switch {
    position: relative;
    display: inline-grid;
  }
  .switch input {
    appearance: none;
    inline-size: 36px;
    block-size: 22px;
    margin: 0;
    border-radius: 99px;
    border: 1.5px solid var(--_control);
    background: transparent;
    cursor: pointer;
    transition:
      background-color var(--_fast),
      border-color var(--_fast);
  }
  .switch input::before {
    content: '';
    display: block;
    inline-size: 14px;
    block-size: 14px;
    margin: 2.5px;
    border-radius: 50%;
    background: var(--_control);
    transition:
      translate var(--_fast) var(--_ease),
      background-color var(--_fast);
  }
  /* The touch area is larger than the switch, but not beyond the edge. */
  .switch input::after {
    content: '';
    position: absolute;
    inset-block: calc((22px - var(--_touch)) / 2);
    inset-inline: calc(36px - max(44px, var(--_touch))) 0;
  }
  .switch input:checked {
    background: var(--_accent);
    border-color: var(--_accent);
  }
  .switch input:checked::before {
    translate: 14px;
    background: var(--_on-accent);
  }
  .switch input:checked:dir(rtl)::before {
    translate: -14px;
  }

  .select {
    position: relative;
    display: inline-grid;
    align-items: center;
  }
  .select select {
    appearance: none;
    field-sizing: content;
    max-inline-size: 100%;
    min-block-size: var(--_touch);
    margin: 0;
    padding-inline: var(--_2) 24px;
    border: 0;
    border-radius: var(--_radius-s);
    font: inherit;
    font-size: var(--_text-sm);
    letter-spacing: inherit;
    text-transform: inherit;
    color: var(--_muted);
    background: transparent;
    cursor: pointer;
  }
  .select select:hover {
    background: var(--_hover);
    color: var(--_text);
  }
  .select option {
    background: var(--_raised);
    color: var(--_text);
  }
  .select svg {
    position: absolute;
    inset-inline-end: 5px;
    color: var(--_muted);
  }
  .wide .select select {
    min-block-size: 32px;
  }
`
