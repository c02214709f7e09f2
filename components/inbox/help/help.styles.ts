// The help about keys.

import { css } from '@lit/reactive-element'

export const help = css`
  .help {
    inset: 0;
    margin: auto;
    padding: 0;
    border: 0;
    inline-size: min(420px, calc(100vi - 16px));
    block-size: min(600px, calc(100dvb - 16px));
    flex-direction: column;
    background: var(--_raised);
    color: var(--_text);
    border-radius: var(--_radius-l);
    box-shadow: var(--_shadow);
  }
  .help:popover-open {
    display: flex;
  }
  .help .headline {
    margin: 0;
    padding-block: var(--_3);
    padding-inline: var(--_6) var(--_4);
    border-block-end: 1px solid var(--_line);
  }
  .keys {
    flex: 1;
    overflow-y: auto;
    padding: var(--_3) var(--_6) var(--_6);
  }
  .keys:focus-visible {
    outline-offset: -2px;
  }
  .keys h3 {
    padding-block: var(--_3) var(--_1);
    font-size: var(--_text-sm);
    line-height: calc(20 / 13);
    font-weight: 500;
    color: var(--_muted);
  }
  .keys dl {
    margin: 0;
  }
  .keys dl > div {
    display: flex;
    align-items: center;
    justify-content: space-between;
    gap: var(--_4);
    min-block-size: 32px;
    border-block-start: 1px solid var(--_line);
    font-size: var(--_text-md);
  }
  .keys dl > div:first-child {
    border: 0;
  }
  .keys dd {
    display: flex;
    align-items: center;
    gap: 4px;
    margin: 0;
    color: var(--_muted);
    font-size: calc(13em / 14);
  }
  .keys .key {
    min-inline-size: 24px;
    block-size: 24px;
    padding-inline: 7px;
    border-radius: 6px;
    line-height: 24px;
    color: var(--_text);
  }
  @media (forced-colors: active) {
    .help {
      border: 1px solid CanvasText;
    }
  }
`
