// The summary, the trace and the code of a send.

import { css } from 'lit'

export const styles = css`
  .first {
    margin-block-start: 20px;
  }
  .verdict {
    max-inline-size: 68ch;
    padding-block-end: 4px;
    font-size: 1.0625rem;
    line-height: 26px;
    letter-spacing: -0.008em;
    text-wrap: pretty;
  }
  .verdict b {
    font-weight: 650;
  }
  .trace {
    display: grid;
    grid-template-columns: 132px minmax(0, 1fr);
    align-items: center;
    padding: 12px 16px 14px;
  }
  .trace-label {
    display: flex;
    align-items: center;
    gap: 8px;
    min-block-size: 34px;
    font-weight: 500;
  }
  .trace-label svg {
    color: var(--_muted);
  }
  .track {
    position: relative;
    block-size: 34px;
  }
  .track::before {
    content: '';
    position: absolute;
    inset: 0;
    background: repeating-linear-gradient(to right, var(--_line) 0 1px, transparent 1px 16.6667%);
  }
  .track:dir(rtl)::before {
    background: repeating-linear-gradient(to left, var(--_line) 0 1px, transparent 1px 16.6667%);
  }
  .track i {
    position: absolute;
    inset-block-start: 15px;
    block-size: 4px;
    border-radius: 2px;
    background: color-mix(in oklab, var(--_text) 22%, transparent);
  }
  .track i.wait {
    inset-block-start: 16px;
    block-size: 2px;
    background: repeating-linear-gradient(
      to right,
      color-mix(in oklab, var(--_text) 40%, transparent) 0 4px,
      transparent 4px 8px
    );
  }
  .track u {
    position: absolute;
    inset-block-start: 11px;
    inline-size: 12px;
    block-size: 12px;
    margin-inline-start: -6px;
    text-decoration: none;
  }
  .legend u {
    inline-size: 10px;
    block-size: 10px;
  }
  :is(.track, .legend) u {
    border: 2px solid var(--_control);
    border-radius: 50%;
    background: var(--_surface);
  }
  :is(.track, .legend) u.taken {
    border-color: var(--_success);
    background: var(--_success);
  }
  :is(.track, .legend) u:is(.failed, .dead) {
    border-color: var(--_danger);
    border-radius: 3px;
    rotate: 45deg;
  }
  .track u.dead {
    background: var(--_danger);
  }
  :is(.track, .legend) u.seen {
    border-color: var(--_text);
    background: var(--_text);
  }
  .track em {
    position: absolute;
    inset-block-start: 7px;
    margin-inline-start: 10px;
    padding-inline: 4px;
    background: var(--_surface);
    font-style: normal;
    font-size: var(--_xs);
    color: var(--_muted);
    white-space: nowrap;
  }
  .track em.before {
    translate: calc(-100% - 20px);
  }
  .track em.before:dir(rtl) {
    translate: calc(100% + 20px);
  }
  .scale {
    grid-column: 2;
    display: grid;
    grid-template-columns: repeat(6, 1fr);
    padding-block-start: 4px;
    font-size: 11px;
    line-height: 16px;
    color: var(--_muted);
  }
  .legend {
    gap: 4px 16px;
    font-size: var(--_xs);
  }
  .legend span {
    display: inline-flex;
    align-items: center;
    gap: 6px;
  }
  .code {
    padding-block: 10px;
    background: var(--_sunk);
    font: 12.5px/21px var(--_mono);
    font-variant-ligatures: none;
    counter-reset: line;
    overflow-x: auto;
    direction: ltr;
  }
  .code:focus-visible {
    outline-offset: -2px;
  }
  .line {
    display: block;
    position: relative;
    min-inline-size: max-content;
    padding-inline: 56px 16px;
    white-space: pre;
  }
  .line::before {
    counter-increment: line;
    content: counter(line);
    position: absolute;
    inset-inline-start: 0;
    inline-size: 40px;
    text-align: end;
    color: var(--_muted);
  }
  .code .k {
    color: light-dark(oklch(0.45 0.09 230), oklch(0.8 0.08 220));
  }
  .code .s {
    color: light-dark(oklch(0.43 0.1 150), oklch(0.83 0.11 145));
  }
  @media (width < 840px) {
    .head .actions {
      inline-size: 100%;
    }
    .head .actions .button {
      flex: 1;
    }
    .trace {
      grid-template-columns: 28px minmax(0, 1fr);
    }
    .trace-label span:not(.sr),
    .track em {
      display: none;
    }
    .scale span:nth-child(even) {
      visibility: hidden;
    }
  }
  @media (forced-colors: active) {
    .track::before,
    :is(.track, .legend) :is(i, u) {
      forced-color-adjust: none;
      --_line: GrayText;
      --_text: CanvasText;
    }
  }
`
