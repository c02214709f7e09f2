// Segments and switches.

import { css } from 'lit'

export const choices = css`
  .segments {
    display: inline-flex;
    padding: 2px;
    border-radius: 9px;
    background: color-mix(in oklab, var(--_text) 7%, transparent);
  }
  .segments label {
    position: relative;
  }
  .segments input {
    position: absolute;
    inset: 0;
    opacity: 0;
  }
  .segments span {
    display: inline-flex;
    align-items: center;
    justify-content: center;
    gap: 6px;
    min-block-size: calc(var(--_control-size) - 4px);
    padding-inline: 10px;
    border-radius: 7px;
    font-weight: 500;
    color: var(--_muted);
    white-space: nowrap;
  }
  .segments :checked + span {
    background: light-dark(#fff, oklch(0.34 0.008 265));
    color: var(--_text);
    box-shadow: 0 1px 3px oklch(0.2 0.02 265 / 0.16);
  }
  .segments :focus-visible + span {
    outline: 2px solid var(--_focus);
    outline-offset: 1px;
  }
  .segments.tiny span {
    min-block-size: 24px;
    padding-inline: 6px;
    border-radius: 6px;
  }
  .switch {
    display: inline-flex;
    align-items: center;
    gap: 8px;
    min-block-size: var(--_control-size);
    font-weight: 500;
  }
  .switch input {
    appearance: none;
    flex: none;
    inline-size: 36px;
    block-size: 22px;
    border-radius: 99px;
    border: 1.5px solid var(--_control);
    cursor: pointer;
    transition: background-color var(--_fast);
  }
  .switch input::before {
    content: '';
    display: block;
    inline-size: 14px;
    block-size: 14px;
    margin: 2.5px;
    border-radius: 50%;
    background: var(--_control);
    transition: translate var(--_fast) var(--_ease);
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
  @media (forced-colors: active) {
    .segments {
      border: 1px solid CanvasText;
    }
    .segments :checked + span {
      forced-color-adjust: none;
      background: Highlight;
      color: HighlightText;
    }
    .switch input {
      forced-color-adjust: none;
      border-color: ButtonText;
    }
    .switch input::before {
      background: ButtonText;
    }
    .switch input:checked {
      background: Highlight;
    }
    .switch input:checked::before {
      background: HighlightText;
    }
  }
`
