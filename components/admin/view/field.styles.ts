// Fields of forms, checkboxes and menus.

import { css } from 'lit'

export const fields = css`
  .form {
    display: grid;
    gap: 16px;
  }
  .field {
    display: grid;
    gap: 6px;
  }
  .field > :is(span:first-child, label),
  .legend {
    font-weight: 500;
    color: var(--_muted);
  }
  .input {
    inline-size: 100%;
    min-block-size: 36px;
    padding: 7px 10px;
    border-radius: 8px;
    box-shadow: inset 0 0 0 1px var(--_field-edge);
    background: var(--_surface);
    font-size: var(--_m);
    line-height: 20px;
    appearance: none;
    resize: vertical;
  }
  /* Its parts are higher than a line. */
  .input[type^='date'] {
    max-block-size: max(36px, var(--_control-size));
  }
  .input::placeholder {
    color: var(--_muted);
    opacity: 1;
  }
  .input[aria-invalid='true'] {
    box-shadow: inset 0 0 0 1.5px var(--_danger);
  }
  .input:focus-visible {
    outline-offset: -1px;
    border-radius: 8px;
  }
  .pick {
    position: relative;
    display: grid;
    align-items: center;
  }
  .pick .input {
    padding-inline-end: 32px;
  }
  .pick > svg {
    position: absolute;
    inset-inline-end: 9px;
    color: var(--_muted);
  }
  .help {
    font-size: var(--_xs);
    line-height: 16px;
    color: var(--_muted);
  }
  .field-error {
    display: flex;
    align-items: center;
    gap: 6px;
    padding: 6px 2px;
    color: var(--_danger);
  }
  .check {
    display: flex;
    align-items: center;
    gap: 10px;
    font-size: var(--_m);
  }
  input[type='checkbox']:not([role]) {
    inline-size: 16px;
    block-size: 16px;
    margin: 0;
    accent-color: var(--_accent);
    vertical-align: -3px;
  }
  @media (pointer: coarse) {
    .input {
      min-block-size: 44px;
    }
  }
  @media (forced-colors: active) {
    .input {
      border: 1px solid CanvasText;
    }
  }
`
