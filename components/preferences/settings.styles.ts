// The pause, the switches of whole channels, and the quiet hours.

import { css } from '@lit/reactive-element'

export const settings = css`
  .group {
    margin-block: var(--_6) 0;
    padding-block-end: var(--_2);
    font-size: var(--_text-sm);
    font-weight: 600;
    line-height: calc(20 / 13);
    color: var(--_muted);
  }
  .urgent {
    display: inline-block;
    margin-inline-start: var(--_2);
    padding: 0 6px;
    border-radius: var(--_radius-s);
    background: color-mix(in oklab, var(--_danger) 12%, transparent);
    color: var(--_danger);
    font-size: var(--_text-sm);
    line-height: calc(20 / 13);
    font-weight: 600;
  }
  /* The choices are kept and can still be set. */
  .cell.dimmed .switch,
  .cell.dimmed .select {
    opacity: 0.45;
  }

  .pause {
    position: relative;
    justify-self: start;
  }
  .pause > summary {
    list-style: none;
  }
  .pause > summary::-webkit-details-marker {
    display: none;
  }
  .pause-list {
    position: absolute;
    z-index: 2;
    inset-block-start: calc(100% + 4px);
    inset-inline-end: 0;
    display: grid;
    inline-size: max-content;
    max-inline-size: min(264px, 80vi);
    padding: var(--_1);
    border-radius: 14px;
    background: var(--_raised);
    color: var(--_text);
    box-shadow: var(--_shadow);
  }
  .pause-list button {
    min-block-size: max(36px, var(--_touch));
    padding-inline: var(--_3);
    border-radius: var(--_radius-m);
    font-size: var(--_text-md);
  }
  .pause-list button:hover {
    background: var(--_hover);
  }
  .paused {
    display: grid;
    grid-template-columns: 20px 1fr auto;
    gap: var(--_3);
    align-items: center;
    margin-block-end: var(--_4);
    padding: var(--_3) var(--_4);
    border-radius: var(--_radius-m);
    background: var(--_unread);
    font-size: var(--_text-md);
  }
  .paused > svg {
    color: var(--_accent);
  }
  .paused p {
    margin: 0;
  }

  .topics,
  .quiet {
    display: grid;
    gap: var(--_3);
    margin-block-start: var(--_6);
    padding: var(--_4);
    border: 1px solid var(--_line);
    border-radius: var(--_radius-l);
  }
  .topics ul {
    margin-block: 0 calc(-1 * var(--_2));
    padding: 0;
    list-style: none;
  }
  .topic {
    display: flex;
    justify-content: space-between;
    align-items: center;
    gap: var(--_4);
    padding-block: var(--_2);
    border-block-start: 1px solid var(--_line);
  }
  .topic > div {
    min-inline-size: 0;
    overflow-wrap: anywhere;
  }
  .topic-name {
    font-size: var(--_text-md);
  }
  .topic .btn {
    flex: none;
  }
  .quiet-line {
    display: flex;
    justify-content: space-between;
    align-items: center;
    gap: var(--_4);
    min-block-size: max(32px, var(--_touch));
  }
  /* Only on leaves: sizes in em multiply. */
  .quiet-line > span:not(.switch) {
    font-size: var(--_text-md);
  }
  .quiet-line small {
    font-size: calc(13em / 14);
    color: var(--_muted);
  }
  .quiet .day-bar {
    inline-size: 100%;
    block-size: 10px;
    border-radius: 5px;
    fill: var(--_accent);
    stroke: none;
    overflow: hidden;
  }
  .day-bar .day {
    fill: var(--_line);
  }
  .day-hours {
    display: flex;
    justify-content: space-between;
    font-size: 12px;
    color: var(--_muted);
    font-variant-numeric: tabular-nums;
  }
  .quiet-fields {
    display: flex;
    flex-wrap: wrap;
    align-items: end;
    gap: var(--_3) var(--_4);
  }
  .time-field {
    display: grid;
    gap: 2px;
  }
  .time-field span {
    font-size: var(--_text-sm);
    color: var(--_muted);
  }
  .time-field input {
    min-block-size: max(36px, var(--_touch));
    padding-inline: var(--_2);
    border: 1px solid var(--_control);
    border-radius: var(--_radius-s);
    background: transparent;
    color: var(--_text);
    font: inherit;
    font-size: var(--_text-md);
  }
  .days {
    display: flex;
    flex-wrap: wrap;
    gap: 6px;
  }
  .day-box {
    position: relative;
    display: grid;
    place-items: center;
    inline-size: max(36px, var(--_touch));
    block-size: max(36px, var(--_touch));
    border: 1px solid var(--_control);
    border-radius: 50%;
    font-size: var(--_text-sm);
  }
  .day-box input {
    position: absolute;
    inset: 0;
    margin: 0;
    opacity: 0;
    cursor: pointer;
  }
  .day-box:has(:checked) {
    border-color: var(--_accent);
    background: var(--_accent);
    color: var(--_on-accent);
    font-weight: 600;
  }
  .day-box:has(:focus-visible) {
    outline: 2px solid var(--_focus);
    outline-offset: 2px;
  }
  @media (forced-colors: active) {
    .day-box:has(:checked) {
      forced-color-adjust: none;
      background: Highlight;
      color: HighlightText;
    }
    .quiet .day-bar {
      box-sizing: border-box;
      border: 1px solid CanvasText;
      fill: Highlight;
    }
    .day-bar rect.day {
      fill: Canvas;
    }
    .pause > summary {
      color: ButtonText;
    }
    .paused,
    .pause-list,
    .urgent {
      border: 1px solid CanvasText;
    }
    .cell.dimmed .switch,
    .cell.dimmed .select {
      opacity: 1;
    }
    .cell.dimmed .switch input {
      --_accent: GrayText;
      --_control: GrayText;
    }
    .cell.dimmed .select * {
      color: GrayText;
    }
  }
`
