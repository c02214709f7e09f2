// The rows of the log.

import { css } from 'lit'

export const styles = css`
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
`
