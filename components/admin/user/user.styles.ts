// Matrix of preferences, day with quiet hours, devices.

import { css } from 'lit'

export const styles = css`
  .persona {
    display: grid;
    grid-template-columns: 56px minmax(0, 1fr);
    column-gap: 16px;
    align-items: center;
    flex: 1 1 340px;
    min-inline-size: 0;
  }
  .persona .initials {
    grid-row: span 2;
    inline-size: 56px;
    block-size: 56px;
    font-size: 20px;
  }
  h1 {
    overflow-wrap: anywhere;
  }
  .columns {
    margin-block-start: 20px;
  }
  .task {
    padding: 16px;
    margin-block-start: 16px;
  }
  .task-head {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 8px 10px;
  }
  .task-head > .muted {
    flex-basis: 200px;
  }
  .task-head > svg {
    color: var(--_muted);
  }
  .task-head + .meter {
    margin-block-start: 10px;
  }
  .tight {
    padding-block: 4px;
  }
  .why {
    display: -webkit-box;
    -webkit-box-orient: vertical;
    -webkit-line-clamp: 2;
    overflow: clip;
    min-inline-size: 180px;
  }
  .matrix {
    min-inline-size: 480px;
  }
  .matrix th:first-child {
    position: sticky;
    inset-inline-start: 0;
    z-index: 1;
    background: var(--_surface);
  }
  .matrix :is(td, th[scope='row']) {
    vertical-align: top;
    padding-block: 10px;
  }
  .matrix th b,
  .matrix th .mono,
  .matrix .from {
    display: block;
  }
  .matrix th b {
    font-weight: 550;
  }
  .matrix th .mono,
  .matrix .from {
    font-size: var(--_xs);
    line-height: 18px;
    color: var(--_muted);
  }
  .matrix thead th {
    padding-block: 8px;
  }
  .matrix thead svg {
    display: block;
    margin-block-end: 2px;
  }
  .matrix .sub th[scope='row'] {
    padding-inline-start: 32px;
  }
  .matrix .sub th[scope='row']::before {
    content: '';
    position: absolute;
    inset-block: -8px calc(100% - 22px);
    inset-inline-start: 20px;
    inline-size: 7px;
    border: solid var(--_control);
    border-width: 0 0 1px 1px;
    border-end-start-radius: 5px;
  }
  .value {
    display: flex;
    align-items: center;
    gap: 4px;
    font-weight: 550;
  }
  .choice {
    min-inline-size: max-content;
    min-block-size: 28px;
    margin-inline-start: -6px;
    padding-inline: 6px;
    border-radius: 7px;
    background: transparent;
    font: inherit;
    color: inherit;
    cursor: pointer;
  }
  .choice:hover {
    background: var(--_hover);
  }
  .choice option {
    background: var(--_raised);
    color: var(--_text);
  }
  .value[data-off] {
    color: var(--_muted);
  }
  .from:is([data-source='user'], [data-source='channel-off']) {
    color: var(--_accent);
  }
  .with-icon {
    display: inline-flex;
    align-items: center;
    gap: 8px;
  }
  .devices li {
    display: flex;
    align-items: center;
    gap: 12px;
    padding: 10px 16px;
  }
  .devices svg {
    color: var(--_muted);
    flex: none;
  }
  .day {
    position: relative;
    block-size: 28px;
    border-radius: 7px;
    background: var(--_sunk);
    box-shadow: inset 0 0 0 1px var(--_line);
    overflow: clip;
  }
  .day i {
    position: absolute;
    inset-block: 0;
    background: repeating-linear-gradient(
      135deg,
      color-mix(in oklab, var(--_text) 16%, transparent) 0 2px,
      color-mix(in oklab, var(--_text) 5%, transparent) 2px 6px
    );
  }
  .day u {
    position: absolute;
    inset-block: 0;
    inline-size: 2px;
    background: var(--_accent);
  }
  .axis {
    display: flex;
    justify-content: space-between;
    margin-block: 2px 8px;
    font-size: 11px;
    line-height: 16px;
    color: var(--_muted);
  }
  .facts .chip {
    max-inline-size: 100%;
    min-inline-size: 0;
  }
  @media (width < 840px) {
    .matrix th:first-child {
      min-inline-size: 132px;
      box-shadow: 1px 0 0 var(--_line);
    }
  }
  @media (forced-colors: active) {
    .day {
      border: 1px solid CanvasText;
    }
    .day i,
    .day u {
      forced-color-adjust: none;
      background: GrayText;
    }
    .day u {
      background: Highlight;
    }
  }
`
