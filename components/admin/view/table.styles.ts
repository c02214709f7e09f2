// Tables. Narrower than 840 px, those with the class `stacks` show each row as a block.

import { css } from 'lit'

export const table = css`
  .table {
    inline-size: 100%;
    border-collapse: collapse;
  }
  .table :is(th, td) {
    block-size: var(--_row);
    padding: 4px 12px;
    text-align: var(--_start);
    vertical-align: middle;
    border-block-end: 1px solid var(--_line);
    font-weight: 400;
  }
  .table thead :is(th, td) {
    block-size: 32px;
    font-size: var(--_xs);
    line-height: 16px;
    font-weight: 500;
    color: var(--_muted);
    white-space: nowrap;
  }
  .table.tall {
    --_row: 56px;
  }
  .table :is(th, td).number {
    text-align: var(--_end);
  }
  /* The chosen row of a list. */
  tr.chosen {
    background: var(--_hover);
    box-shadow: inset 2px 0 var(--_accent);
  }
  tr.chosen:dir(rtl) {
    box-shadow: inset -2px 0 var(--_accent);
  }
  /* The search above a list. */
  .find {
    position: relative;
    flex: 1 1 280px;
    max-inline-size: 420px;
  }
  .find svg {
    position: absolute;
    inset-inline-start: 10px;
    inset-block: 0;
    margin-block: auto;
    color: var(--_muted);
  }
  .find .input {
    padding-inline-start: 34px;
  }
  .table th[scope='row'] {
    font-weight: 500;
  }
  .table tr {
    position: relative;
  }
  .table tbody tr {
    transition: background-color var(--_fast);
  }
  .table.hovers tbody tr:not(.gap):hover {
    background: var(--_hover);
  }
  /* Words on the edge of the sheet, the hover beyond it. */
  .table.bleeds {
    margin-inline: -12px;
    inline-size: calc(100% + 24px);
  }
  .card .table :is(th, td):first-child {
    padding-inline-start: 16px;
  }
  .card .table :is(th, td):last-child {
    padding-inline-end: 16px;
  }
  .card .table tbody tr:last-child > * {
    border-block-end: 0;
  }
  /* The link of a row covers it. */
  .cover::after {
    content: '';
    position: absolute;
    inset: 0;
  }
  .cover:focus-visible {
    outline: none;
  }
  tr:has(.cover:focus-visible) {
    outline: 2px solid var(--_focus);
    outline-offset: -2px;
    border-radius: 8px;
  }
  .over {
    position: relative;
    z-index: 1;
  }
  .scroll-x {
    overflow-x: auto;
    scrollbar-width: thin;
  }
  @media (width < 840px) {
    .table.stacks,
    .table.stacks tbody {
      display: block;
    }
    .table.stacks thead {
      display: none;
    }
    .table.stacks tr {
      display: flex;
      flex-wrap: wrap;
      align-items: center;
      gap: 4px 12px;
      padding: 10px 16px;
      border-block-end: 1px solid var(--_line);
    }
    .table.stacks.bleeds tr {
      padding-inline: 12px;
    }
    .table.stacks :is(th, td),
    .card .table.stacks :is(th, td) {
      display: block;
      block-size: auto;
      padding: 0;
      border: 0;
    }
    .table.stacks th {
      flex: 1 1 100%;
    }
    .table.stacks .number {
      text-align: var(--_start);
    }
  }
  @media (forced-colors: active) {
    tr.chosen > :first-child {
      border-inline-start: 4px solid Highlight;
    }
  }
`
