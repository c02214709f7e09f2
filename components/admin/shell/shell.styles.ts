// Side, rail, bars of a phone, and the sheet.

import { css } from 'lit'

export const shell = css`
  .app {
    display: grid;
    grid-template-columns: 232px minmax(0, 1fr);
    min-block-size: 100dvb;
    background: var(--_page);
  }
  .skip {
    position: fixed;
    z-index: 50;
    inset-block-start: -60px;
    inset-inline-start: 12px;
    padding: 8px 16px;
    border-radius: 10px;
    background: var(--_accent);
    color: var(--_on-accent);
  }
  .skip:focus {
    inset-block-start: 12px;
  }
  .side {
    position: sticky;
    inset-block-start: 0;
    block-size: 100dvb;
    display: flex;
    flex-direction: column;
    gap: 2px;
    padding: 12px;
    overflow-y: auto;
    scrollbar-width: none;
  }
  .mark {
    inline-size: 28px;
    block-size: 28px;
    grid-row: span 2;
    stroke: none;
  }
  .mark rect {
    fill: var(--_text);
  }
  .mark path {
    stroke: var(--_page);
    stroke-width: 1.6;
  }
  .mark circle {
    fill: var(--_accent);
    stroke: var(--_text);
    stroke-width: 1.6;
  }
  :is(.environment, .me) {
    display: grid;
    grid-template-columns: 28px minmax(0, 1fr) 16px;
    align-items: center;
    column-gap: 10px;
    padding: 6px 8px;
    border-radius: var(--_radius-m);
    text-align: var(--_start);
  }
  :is(.environment, .me, .find):hover,
  nav a:hover {
    background: var(--_hover);
  }
  .environment b {
    font-size: var(--_m);
    line-height: 18px;
    font-weight: 650;
    letter-spacing: -0.012em;
  }
  :is(.environment, .me) > span:not(.initials) {
    grid-column: 2;
    font-size: var(--_xs);
    line-height: 16px;
    color: var(--_muted);
  }
  :is(.environment, .me) > svg:last-child {
    grid-area: 1 / 3 / span 2;
    color: var(--_muted);
  }
  .me .initials {
    grid-row: span 2;
    inline-size: 28px;
    block-size: 28px;
    font-size: 11px;
  }
  .me b {
    line-height: 16px;
  }
  .find {
    display: flex;
    align-items: center;
    gap: 8px;
    inline-size: 100%;
    min-block-size: var(--_control-size);
    margin-block: 10px 12px;
    padding-inline: 10px 6px;
    border-radius: var(--_radius-m);
    background: var(--_surface);
    box-shadow: inset 0 0 0 1px var(--_line);
    color: var(--_muted);
    text-align: var(--_start);
  }
  .find span {
    flex: 1;
  }
  .group {
    display: grid;
    gap: 2px;
  }
  .group + .group {
    margin-block-start: 14px;
  }
  .group a {
    display: flex;
    align-items: center;
    gap: 10px;
    min-block-size: max(34px, var(--_control-size));
    padding-inline: 10px;
    border-radius: var(--_radius-m);
    font-size: var(--_m);
    font-weight: 500;
    color: var(--_muted);
  }
  .group a[aria-current] {
    background: var(--_chosen);
    color: var(--_text);
    font-weight: 600;
  }
  .group svg {
    inline-size: 18px;
    block-size: 18px;
  }
  .tally {
    display: inline-flex;
    align-items: center;
    gap: 3px;
    margin-inline-start: auto;
    font-size: var(--_xs);
    font-weight: 500;
    color: var(--_muted);
  }
  .tally.bad {
    color: var(--_danger);
    font-weight: 600;
  }
  .tally svg {
    inline-size: 14px;
    block-size: 14px;
  }
  .foot {
    display: grid;
    gap: 8px;
    margin-block-start: auto;
    padding-block-start: 16px;
  }
  .foot-row {
    display: flex;
    align-items: center;
    gap: 8px;
    padding-inline: 10px 2px;
    color: var(--_muted);
    font-size: var(--_xs);
    line-height: 16px;
  }
  .foot-row .segments {
    margin-inline-start: auto;
  }
  .live-dot {
    flex: none;
    inline-size: 8px;
    block-size: 8px;
    margin: 0 3px;
    border-radius: 50%;
    background: var(--_control);
  }
  .live-dot[data-online='true'] {
    background: var(--_success);
    box-shadow: 0 0 0 3px color-mix(in oklab, var(--_success) 20%, transparent);
  }
  .sheet {
    display: block;
    min-inline-size: 0;
    margin-block: 8px;
    margin-inline: 0 8px;
    padding-block-end: 64px;
    border-radius: var(--_radius-l);
    background: var(--_surface);
    box-shadow: 0 0 0 1px var(--_line);
  }
  .sheet:focus {
    outline: none;
  }
  .lost {
    padding-block-start: 20dvb;
  }
  :is(.top, .tab-bar) {
    display: none;
  }
  @media (forced-colors: active) {
    .sheet,
    .find {
      border: 1px solid CanvasText;
    }
    .group a[aria-current] {
      forced-color-adjust: none;
      background: Highlight;
      color: HighlightText;
    }
    .group a[aria-current] :is(svg, .tally) {
      color: inherit;
    }
    .live-dot[data-online='true'] {
      border: 4px solid Highlight;
    }
  }
`
