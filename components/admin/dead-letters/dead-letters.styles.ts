// Causes, and the letters of a cause.

import { css } from 'lit'

export const styles = css`
  .cause-columns {
    display: grid;
    grid-template-columns: minmax(0, 1fr) 72px 128px 128px 16px;
    gap: 16px;
    padding: 12px 16px 6px;
    font-size: var(--_xs);
    font-weight: 500;
    color: var(--_muted);
  }
  .cause {
    border-block-end: 1px solid var(--_line);
  }
  .cause:last-child {
    border: 0;
  }
  .cause > summary {
    display: grid;
    grid-template-columns: 20px minmax(0, 1fr) 72px 128px 128px 16px;
    gap: 16px;
    align-items: center;
    min-block-size: 68px;
    padding: 8px 16px;
    border-radius: 8px;
    list-style: none;
  }
  .cause > summary::-webkit-details-marker {
    display: none;
  }
  .cause > summary:hover {
    background: var(--_hover);
  }
  .cause > summary:focus-visible {
    outline-offset: -2px;
  }
  .cause > summary > svg {
    color: var(--_muted);
  }
  .cause > summary > svg:last-child {
    transition: rotate var(--_fast) var(--_ease);
  }
  .cause[open] > summary > svg:last-child {
    rotate: 180deg;
  }
  .cause > summary b {
    font-size: var(--_m);
  }
  .cause-count {
    font-size: var(--_l);
    font-weight: 650;
    text-align: var(--_end);
  }
  .cause-body {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 12px;
    padding: 0 16px 16px 52px;
  }
  .said {
    display: block;
    padding: 8px 10px;
    border-radius: 8px;
    background: var(--_sunk);
    box-shadow: inset 0 0 0 1px var(--_line);
    font: 12px/18px var(--_mono);
    white-space: pre-wrap;
    overflow-wrap: anywhere;
    direction: ltr;
  }
  .c-box {
    inline-size: 48px;
  }
  .letters .to {
    overflow-wrap: anywhere;
  }
  input[type='checkbox'] {
    inline-size: 16px;
    block-size: 16px;
    margin: 0;
    accent-color: var(--_accent);
    vertical-align: -3px;
  }
  @media (width < 840px) {
    .cause-columns {
      display: none;
    }
    .cause > summary {
      grid-template-columns: 20px minmax(0, 1fr) auto 20px;
      gap: 4px 10px;
    }
    .cause > summary > .cause-last {
      grid-area: 2 / 2 / auto / 4;
    }
    .cause > summary > .cause-first {
      display: none;
    }
    .cause > summary > svg:last-child {
      grid-area: 1 / 4;
    }
    .cause-body {
      padding-inline-start: 16px;
    }
    .letters,
    .letters tbody {
      display: block;
    }
    .letters thead {
      display: none;
    }
    .letters tr {
      display: grid;
      grid-template-columns: 28px minmax(0, 1fr) auto;
      gap: 2px 8px;
      padding: 10px 16px;
      border-block-end: 1px solid var(--_line);
    }
    .card .letters td:is(td, td) {
      display: block;
      block-size: auto;
      inline-size: auto;
      padding: 0;
      border: 0;
    }
    .letters td:nth-child(3) {
      grid-area: 2 / 2;
    }
    .letters td:nth-child(4) {
      grid-area: 3 / 2 / auto / 4;
    }
    .card .letters td:nth-child(5):is(td) {
      display: none;
    }
    .letters td:nth-child(6) {
      grid-area: 1 / 3;
    }
    .letters td:nth-child(7) {
      grid-area: 2 / 3;
    }
    .card-foot .actions {
      inline-size: 100%;
    }
    .card-foot .actions .button {
      flex: 1;
    }
  }
`
