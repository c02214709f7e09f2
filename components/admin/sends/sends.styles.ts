// The filter and the rows of the log.

import { css } from 'lit'

export const styles = css`
  .query {
    position: relative;
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 6px;
    min-block-size: max(40px, var(--_control-size));
    padding: 5px 6px 5px 12px;
    border-radius: 10px;
    background: var(--_surface);
    box-shadow: inset 0 0 0 1px var(--_field-edge);
  }
  .query:focus-within {
    box-shadow: inset 0 0 0 2px var(--_accent);
  }
  .query.wrong {
    box-shadow: inset 0 0 0 2px var(--_danger);
  }
  .query > svg {
    color: var(--_muted);
  }
  .query input {
    flex: 1;
    min-inline-size: 140px;
    min-block-size: 28px;
    font-size: var(--_m);
  }
  .query input:focus {
    outline: none;
  }
  .query input::placeholder {
    color: var(--_muted);
    opacity: 1;
  }
  .token {
    display: inline-flex;
    align-items: center;
    min-block-size: 28px;
    max-inline-size: 100%;
    border-radius: 7px;
    background: var(--_soft);
    overflow: clip;
  }
  .token > span {
    padding-inline: 8px 4px;
    color: var(--_muted);
  }
  .token > b {
    padding-inline-end: 4px;
    font-weight: 550;
  }
  .token > button {
    display: grid;
    place-items: center;
    inline-size: 24px;
    block-size: 28px;
    color: var(--_muted);
  }
  .token > button:hover {
    background: var(--_hover);
    color: var(--_text);
  }
  .suggestions {
    position: absolute;
    z-index: 5;
    inset-block-start: calc(100% + 6px);
    inset-inline-start: 0;
    inline-size: min(440px, 100%);
    max-block-size: 50dvb;
    padding: 6px;
    border-radius: 12px;
    background: var(--_raised);
    box-shadow: var(--_shadow);
    overflow-y: auto;
  }
  .suggestions p {
    padding: 6px 10px 4px;
    font-size: var(--_xs);
    line-height: 16px;
    font-weight: 500;
    color: var(--_muted);
  }
  .option {
    display: flex;
    align-items: center;
    gap: 10px;
    min-block-size: max(34px, var(--_control-size));
    padding-inline: 10px;
    border-radius: 8px;
    cursor: pointer;
  }
  .option[aria-selected='true'] {
    background: var(--_chosen);
  }
  .option svg {
    color: var(--_muted);
  }
  .option .hint {
    margin-inline-start: auto;
    color: var(--_muted);
    font-size: var(--_xs);
  }
  .log {
    table-layout: fixed;
  }
  .log td {
    white-space: nowrap;
    overflow: hidden;
    text-overflow: ellipsis;
  }
  .log .c-time {
    inline-size: 96px;
  }
  .log .c-status {
    inline-size: 126px;
  }
  .log .c-type {
    inline-size: 168px;
  }
  .log .c-user {
    inline-size: 164px;
  }
  .log .c-channels {
    inline-size: 190px;
  }
  .log .c-id {
    inline-size: 148px;
  }
  .log time {
    color: var(--_muted);
  }
  .log tr[data-new] {
    animation: wash 2.4s ease-out backwards;
  }
  @keyframes wash {
    0%,
    30% {
      background-color: color-mix(in oklab, var(--_accent) 16%, transparent);
    }
  }
  .log .gap td {
    block-size: 28px;
    padding-block: 12px 4px;
    border: 0;
    font-size: var(--_xs);
    font-weight: 500;
    color: var(--_muted);
  }
  .log .gap:first-child td {
    padding-block-start: 4px;
  }
  .log tr.chosen {
    background: var(--_hover);
    box-shadow: inset 2px 0 0 var(--_accent);
  }
  .log tr.chosen:dir(rtl) {
    box-shadow: inset -2px 0 0 var(--_accent);
  }
  .pill-place {
    position: sticky;
    z-index: 4;
    inset-block-start: 12px;
    display: flex;
    justify-content: center;
    block-size: 0;
  }
  .pill {
    display: inline-flex;
    align-items: center;
    gap: 4px;
    min-block-size: 32px;
    padding-inline: 8px 12px;
    border-radius: 99px;
    background: var(--_accent);
    color: var(--_on-accent);
    font-weight: 600;
    box-shadow: var(--_shadow);
  }
  @media (width < 1180px) {
    .log :is(.c-id, .x-id, .c-why, .x-why) {
      display: none;
    }
    .log .c-user {
      inline-size: auto;
    }
  }
  @media (width < 840px) {
    .log,
    .log tbody {
      display: block;
    }
    .log thead {
      display: none;
    }
    .log.table.bleeds {
      margin-inline: -16px;
      inline-size: calc(100% + 32px);
    }
    .query kbd {
      display: none;
    }
    .log tr {
      display: grid;
      grid-template-columns: minmax(0, 1fr) auto;
      gap: 3px 12px;
      padding: 10px 16px;
      border-block-end: 1px solid var(--_line);
    }
    .log.table tr > td:is(td) {
      display: block;
      block-size: auto;
      padding: 0;
      border: 0;
    }
    .log.table tr > td:is(.x-id, .x-why) {
      display: none;
    }
    .log .gap {
      display: block;
      padding: 12px 16px 4px;
    }
    .log .x-type {
      grid-area: 1 / 1;
      font-size: var(--_m);
      font-weight: 550;
    }
    .log .x-time {
      grid-area: 1 / 2;
      justify-self: end;
    }
    .log .x-user {
      grid-area: 2 / 1;
    }
    .log .x-status {
      grid-area: 2 / 2;
      justify-self: end;
    }
    .log .x-channels {
      grid-area: 3 / 1 / auto / 3;
      margin-inline-start: -3px;
    }
  }
  @media (forced-colors: active) {
    .query,
    .token,
    .suggestions {
      border: 1px solid CanvasText;
    }
    .option[aria-selected='true'] {
      forced-color-adjust: none;
      background: Highlight;
      color: HighlightText;
    }
    .option[aria-selected='true'] :is(svg, .hint) {
      color: inherit;
    }
  }
`
