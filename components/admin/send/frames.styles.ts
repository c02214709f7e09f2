// Frames of content: an email, a phone, an in-app row, a message.

import { css } from 'lit'

export const frameStyles = css`
  figcaption {
    display: flex;
    align-items: center;
    gap: 8px;
    margin-block-end: 8px;
    font-weight: 550;
  }
  figcaption svg {
    color: var(--_muted);
  }
  figcaption > :last-child {
    margin-inline-start: auto;
  }
  figcaption .muted {
    font-weight: 400;
  }
  .frame {
    padding: 14px;
    border: 1px solid var(--_line);
    border-radius: 12px;
    background: var(--_sunk);
    overflow: clip;
  }
  .frame:has(.phone) {
    padding-block-end: 0;
  }
  .frame-note {
    padding-block-start: 6px;
    font-size: var(--_xs);
    line-height: 16px;
    color: var(--_muted);
  }
  .mail,
  .in-app {
    border-radius: 10px;
    background: var(--_raised);
    box-shadow:
      0 0 0 1px var(--_line),
      0 12px 24px -16px oklch(0.2 0.02 265 / 0.3);
    overflow: clip;
  }
  .mail-head {
    display: grid;
    grid-template-columns: minmax(0, 1fr) auto;
    gap: 2px 10px;
    padding: 12px 14px;
    border-block-end: 1px solid var(--_line);
  }
  .mail-head b {
    font-size: var(--_m);
  }
  .mail-head time,
  .mail-head .muted {
    font-size: var(--_xs);
    color: var(--_muted);
  }
  .mail iframe {
    display: block;
    inline-size: 100%;
    block-size: 180px;
    border: 0;
    background: #fff;
    color-scheme: light;
  }
  .mail-body {
    padding: 12px 14px;
    white-space: pre-wrap;
  }
  .phone {
    position: relative;
    max-inline-size: 300px;
    margin-inline: auto;
    margin-block-start: 4px;
    padding: 30px 12px 14px;
    border-radius: 30px 30px 0 0;
    background:
      radial-gradient(120% 90% at 20% 0, #3d7c86, transparent 60%),
      radial-gradient(100% 80% at 100% 20%, #c98d5a, transparent 55%), #14303c;
    box-shadow:
      0 0 0 5px light-dark(#1b1d22, #2b2e35),
      0 0 0 6px light-dark(#1b1d22, #4a4e57);
    color: #fff;
    text-align: center;
  }
  .phone::before {
    content: '';
    position: absolute;
    inset-block-start: 9px;
    inset-inline: calc(50% - 36px);
    block-size: 16px;
    border-radius: 10px;
    background: #0b0c0e;
  }
  .phone-clock {
    font-size: 44px;
    line-height: 46px;
    font-weight: 600;
    letter-spacing: -0.02em;
  }
  .push {
    display: grid;
    grid-template-columns: minmax(0, 1fr) auto;
    gap: 0 9px;
    margin-block-start: 16px;
    padding: 10px 12px;
    border-radius: 16px;
    background: #e9eef0;
    color: #14181a;
    text-align: var(--_start);
    font-size: 12px;
    line-height: 16px;
  }
  .push time {
    color: #4b5559;
    font-size: 11px;
  }
  .push p {
    grid-column: 1 / -1;
  }
  .in-app {
    display: grid;
    grid-template-columns: 8px minmax(0, 1fr) auto;
    gap: 2px 10px;
    align-items: baseline;
    padding: 12px 14px;
    font-size: var(--_m);
  }
  .in-app i {
    inline-size: 8px;
    block-size: 8px;
    border-radius: 50%;
    background: var(--_accent);
  }
  .in-app p {
    grid-column: 2 / -1;
  }
  .bubble {
    max-inline-size: 280px;
    padding: 9px 13px;
    border-radius: 16px 16px 16px 4px;
    background: light-dark(#e7e9ee, oklch(0.32 0.01 265));
  }
  @media (forced-colors: active) {
    .frame,
    .mail,
    .in-app,
    .bubble,
    .phone,
    .push {
      border: 1px solid CanvasText;
    }
  }
`
