// Types and channels: a matrix if the element is wide, otherwise disclosures with one row for each channel.

import { css } from '@lit/reactive-element'

export const matrix = css`
  .type {
    border-block-start: 1px solid var(--_line);
    padding-block: var(--_4);
  }
  .type-name {
    font-size: var(--_text-md);
    font-weight: 600;
  }
  .sub .type-name {
    font-weight: 500;
  }
  .type-text,
  .refused {
    font-size: var(--_text-sm);
    line-height: calc(20 / 13);
    color: var(--_muted);
    text-wrap: pretty;
  }
  .refused {
    color: var(--_danger);
  }
  /* Two columns from 320 px on, otherwise one. The switch is first, so that switches are in one line. */
  .cells {
    display: grid;
    grid-template-columns: repeat(auto-fill, minmax(min(100%, 152px), 1fr));
    column-gap: var(--_4);
    margin-block-start: var(--_2);
  }
  .cell {
    position: relative;
    display: grid;
    grid-template-columns: 36px 1fr;
    align-items: center;
    align-content: center;
    column-gap: var(--_3);
    min-block-size: 52px;
  }
  .ch {
    grid-area: 1 / 2;
    display: flex;
    align-items: center;
    gap: var(--_3);
    font-size: var(--_text-md);
  }
  .ch svg {
    color: var(--_muted);
  }
  label {
    display: contents;
    cursor: pointer;
  }
  .cell .switch {
    grid-area: 1 / 1 / span 2;
  }
  .cell :is(.select, .fixed) {
    grid-area: 2 / 2;
    justify-self: start;
  }
  .cells .select {
    margin-inline-start: -8px;
  }
  .cells .ch svg {
    display: none;
  }
  .fixed {
    display: inline-flex;
    align-items: center;
    gap: 6px;
    font-size: var(--_text-sm);
    color: var(--_muted);
  }

  .fold > summary {
    display: grid;
    grid-template-columns: 1fr 20px;
    column-gap: var(--_3);
    align-items: center;
    align-content: center;
    min-block-size: max(40px, var(--_touch));
    border-radius: var(--_radius-s);
    list-style: none;
    cursor: pointer;
  }
  /* Without padding, the focus ring would touch the text. */
  .fold > summary:focus-visible {
    outline-offset: 4px;
  }
  .fold > summary::-webkit-details-marker {
    display: none;
  }
  .fold > summary > span {
    grid-column: 1;
  }
  .fold > summary > svg {
    grid-area: 1 / 2 / span 2;
    color: var(--_muted);
    transition: rotate var(--_fast) var(--_ease);
  }
  .fold[open] > summary > svg {
    rotate: 180deg;
  }
  .fold.sub > summary {
    align-content: start;
  }

  /* Lines connect a type with its sub-notifications. */
  .sub {
    --_g: var(--_4);
    --_branch: 1px solid color-mix(in oklab, var(--_text) 26%, transparent);
    position: relative;
    padding-inline-start: var(--_6);
    margin-block-start: var(--_g);
  }
  .sub::before,
  .sub::after {
    content: '';
    position: absolute;
    inset-inline-start: 6px;
    border-inline-start: var(--_branch);
  }
  .sub::before {
    inset-block: calc(-1 * var(--_g)) 0;
  }
  .sub:last-child::before {
    content: none;
  }
  .sub::after {
    inset-block-start: calc(-1 * var(--_g));
    block-size: calc(var(--_g) + 11px);
    inline-size: 10px;
    border-block-end: var(--_branch);
    border-end-start-radius: 6px;
  }
  .sub:not(:last-child)::after {
    border-inline-start-color: transparent;
    border-end-start-radius: 0;
  }

  .cols,
  .row {
    display: grid;
    grid-auto-flow: column;
    grid-template-columns: minmax(180px, 1fr);
    grid-auto-columns: minmax(88px, 120px);
    column-gap: var(--_2);
  }
  .cols {
    padding-block: var(--_2);
  }
  .cols .ch {
    flex-direction: column;
    align-items: start;
    grid-area: auto;
    gap: 2px;
    font-size: var(--_text-sm);
    font-weight: 500;
    line-height: calc(20 / 13);
  }
  .row {
    align-items: start;
  }
  .wide .sub {
    --_g: var(--_3);
  }
  .wide .cell {
    display: flex;
    flex-direction: column;
    align-items: flex-start;
    min-block-size: 0;
    margin-block-start: -1px;
  }
  .wide .cell .switch {
    margin: 0;
  }
  /* As high as a switch, so that the texts align. */
  .wide .fixed {
    min-block-size: 22px;
  }
  .wide .select {
    margin-block: 2px -8px;
    margin-inline: -8px 0;
  }
  .wide .none {
    display: block;
    padding-inline-start: 13px;
    line-height: 22px;
    color: var(--_muted);
  }
  .type .placeholder {
    max-inline-size: 200px;
  }
  .type .placeholder + .placeholder {
    inline-size: 32%;
    max-inline-size: 320px;
  }
`
