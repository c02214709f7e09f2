// A row.

import { css } from '@lit/reactive-element'

export const item = css`
  .block {
    display: flow-root;
  }
  /* Not in WebKit (2.50), where a row that is added to a group removes the height of all others. */
  @supports (overlay: auto) or (-moz-appearance: none) {
    /* Not the first group: a short list keeps its height in every layout of the page. */
    .block:not(:first-child) {
      content-visibility: auto;
      contain-intrinsic-block-size: auto 1600px;
      /* Custom content may be larger than its row. */
      overflow-clip-margin: 320px;
    }
    .block:focus-within {
      position: relative;
      z-index: 1;
    }
  }
  /* Texts are aligned: the mark is in the start margin, the time at the end of the first line. */
  .item {
    --_a: var(--_avatar, 40px);
    position: relative;
    display: grid;
    grid-template: auto auto / var(--_a) minmax(0, 1fr) auto;
    align-content: start;
    column-gap: var(--_3);
    padding: var(--_pad, var(--_3)) var(--_4);
    /* Without a sibling selector, with which every arrival would recompute the styles of all rows. */
    margin-block-end: 2px;
    border-radius: var(--_corner, var(--_radius-m));
    transition: background-color var(--_fast);
    --_tint: transparent;
    --_wash: transparent;
  }
  .item[data-unread] {
    --_tint: var(--_unread);
    background-color: var(--_tint);
  }
  /* Not a row that leads nowhere. Without a transition, so that the ground of its buttons is not ahead of it. */
  .item:hover:has(.title[href]) {
    --_wash: var(--_hover);
    background-image: linear-gradient(var(--_wash), var(--_wash));
    transition: none;
  }
  .avatar {
    grid-row: 1 / span 2;
    inline-size: var(--_a);
    block-size: var(--_a);
    border-radius: 50%;
    object-fit: cover;
    display: grid;
    place-items: center;
    font-size: calc(var(--_a) * 0.4);
    font-weight: 600;
    line-height: 1;
    text-transform: uppercase;
    user-select: none;
  }
  [data-shape='square'] .avatar {
    border-radius: calc(var(--_a) * 0.22);
  }
  .item[data-shape='round'] .avatar {
    border-radius: 50%;
  }
  [data-tone] {
    --_h: 262;
    background: light-dark(oklch(0.935 0.035 var(--_h)), oklch(0.34 0.05 var(--_h)));
    color: light-dark(oklch(0.42 0.1 var(--_h)), oklch(0.88 0.07 var(--_h)));
  }
  [data-tone='1'] {
    --_h: 25;
  }
  [data-tone='2'] {
    --_h: 75;
  }
  [data-tone='3'] {
    --_h: 150;
  }
  [data-tone='4'] {
    --_h: 205;
  }
  [data-tone='6'] {
    --_h: 320;
  }
  .item .title {
    font-size: var(--_text-md);
    font-weight: 500;
    color: inherit;
    text-decoration: none;
    text-wrap: pretty;
  }
  .item[data-unread] .title {
    font-weight: 650;
  }
  .title,
  .body {
    display: -webkit-box;
    -webkit-box-orient: vertical;
    -webkit-line-clamp: 2;
    overflow: hidden;
    /* Text of another direction is aligned as well; the ellipsis of a long one is beyond the edge. */
    unicode-bidi: plaintext;
    padding-inline: 1em;
    margin-inline: -1em;
    text-align: -webkit-match-parent;
    text-align: match-parent;
  }
  /* The title is more important than the body, so the body is cut first. */
  .title {
    -webkit-line-clamp: 3;
  }
  .title[href] {
    overflow: clip;
    overflow-clip-margin: 2px;
  }
  /* The link covers the whole row, below its buttons. */
  .title[href]::after {
    content: '';
    position: absolute;
    inset: 0;
    border-radius: var(--_corner, var(--_radius-m));
  }
  .body a {
    text-decoration: underline;
    text-decoration-thickness: 1px;
    text-underline-offset: 3px;
    text-decoration-color: color-mix(in oklab, currentColor 45%, transparent);
  }
  .title[href]:focus-visible {
    outline: none;
  }
  .title[href]:focus-visible::after {
    outline: 2px solid var(--_focus);
    outline-offset: -2px;
  }
  .body {
    grid-column: 2 / -1;
    font-size: var(--_text-md);
    color: var(--_muted);
    text-wrap: pretty;
  }
  .time {
    display: flex;
    align-items: center;
    gap: var(--_1);
    block-size: calc(20em / 13);
    font-size: var(--_text-sm);
    color: var(--_muted);
    white-space: nowrap;
    font-variant-numeric: tabular-nums;
  }
  .item:not([data-unread]) .mark,
  .body:empty {
    display: none;
  }
  .mark {
    position: absolute;
    inset-block-start: calc(var(--_pad, var(--_3)) + var(--_a) / 2 - 4px);
    inset-inline-start: calc(var(--_2) - 4px);
    inline-size: 8px;
    block-size: 8px;
    border-radius: 50%;
    background: var(--_accent);
  }
  .more svg {
    stroke-width: 2.25;
  }
  .item .more {
    position: absolute;
    z-index: 1;
    inset-block-end: 0;
    inset-inline-end: 4px;
    /* The hit area is large, but only the part behind the dots is painted, so that the time stays readable. */
    padding: 8px;
    border-radius: calc(var(--_radius-m) + 8px);
    background-clip: content-box;
    outline-offset: -10px;
  }
  .coarse .item {
    min-block-size: 64px;
  }
  .coarse .body {
    padding-inline-end: calc(1em + 36px);
  }
  ::slotted([slot^='item-']) {
    grid-area: 1 / 2 / span 2 / -1;
  }
  /* Above the link that covers the row. */
  ::slotted([slot^='extra-']) {
    position: relative;
    z-index: 1;
    grid-column: 2 / -1;
    justify-self: start;
    margin-block-start: var(--_1);
  }
  @media (forced-colors: active) {
    .avatar {
      border: 1px solid CanvasText;
    }
    .item:hover {
      outline: 1px dashed CanvasText;
      outline-offset: -1px;
    }
  }
`
