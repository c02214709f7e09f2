// The story of each channel: a summary that opens a timeline and the rules.

import { css } from 'lit'

export const storyStyles = css`
  .story {
    border-block-end: 1px solid var(--_line);
  }
  .story:last-child {
    border: 0;
  }
  .story > summary {
    display: grid;
    grid-template-columns: 20px 112px 118px minmax(0, 1fr) auto 20px;
    gap: 12px;
    align-items: center;
    min-block-size: 52px;
    padding-inline: 16px;
    border-radius: 8px;
    list-style: none;
  }
  .story > summary::-webkit-details-marker {
    display: none;
  }
  .story > summary:hover {
    background: var(--_hover);
  }
  .story > summary:focus-visible {
    outline-offset: -2px;
  }
  .story > summary > svg {
    color: var(--_muted);
  }
  .story > summary > svg:last-child {
    transition: rotate var(--_fast) var(--_ease);
  }
  .story[open] > summary > svg:last-child {
    rotate: 180deg;
  }
  .story[open] > summary .why {
    visibility: hidden;
  }
  .story > summary b {
    font-size: var(--_m);
  }
  .story-body {
    display: grid;
    grid-template-columns: minmax(0, 1fr) 248px;
    gap: 8px 32px;
    padding: 4px 16px 20px 48px;
  }
  .timeline > li {
    position: relative;
    display: grid;
    grid-template-columns: 20px minmax(0, 1fr) auto;
    column-gap: 10px;
    padding-block-end: 14px;
  }
  .timeline > li:not(:last-child)::before {
    content: '';
    position: absolute;
    inset-block: 20px 0;
    inset-inline-start: 9.25px;
    border-inline-start: 1.5px solid var(--_line);
  }
  .timeline > li > svg {
    color: var(--_muted);
  }
  .timeline > [data-tone='good'] > svg {
    color: var(--_success);
  }
  .timeline > [data-tone='bad'] > svg {
    color: var(--_danger);
  }
  .timeline > [data-tone='warning'] > svg {
    color: var(--_warning);
  }
  .timeline b {
    font-weight: 550;
  }
  .timeline time {
    font-size: var(--_xs);
    color: var(--_muted);
    white-space: nowrap;
  }
  .timeline p {
    grid-column: 2 / -1;
    color: var(--_muted);
    overflow-wrap: anywhere;
  }
  .said {
    grid-column: 2 / -1;
    display: block;
    margin-block-start: 6px;
    padding: 8px 10px;
    border-radius: 8px;
    background: var(--_sunk);
    box-shadow: inset 0 0 0 1px var(--_line);
    font: 12px/18px var(--_mono);
    white-space: pre-wrap;
    overflow-wrap: anywhere;
    direction: ltr;
  }
  .small-head {
    margin-block-end: 6px;
    font-size: var(--_xs);
    line-height: 16px;
    font-weight: 500;
    color: var(--_muted);
  }
  .rules > li {
    display: grid;
    grid-template-columns: 16px minmax(0, 1fr);
    gap: 8px;
    padding-block: 3px;
    font-size: var(--_xs);
    line-height: 18px;
    color: var(--_muted);
  }
  .rules svg {
    margin-block-start: 1px;
    color: var(--_success);
  }
  .rules [data-passed='false'] {
    color: var(--_text);
    font-weight: 600;
  }
  .rules [data-passed='false'] svg {
    color: currentColor;
  }
  @media (width < 900px) {
    .story-body {
      grid-template-columns: minmax(0, 1fr);
      padding-inline-start: 16px;
    }
  }
  @media (width < 840px) {
    .story > summary {
      grid-template-columns: 20px minmax(0, 1fr) auto 20px;
      padding-block: 8px;
    }
    .story > summary > .why {
      grid-area: 2 / 2 / auto / 4;
      white-space: normal;
    }
    .story > summary > .took {
      display: none;
    }
    .story > summary > svg:last-child {
      grid-area: 1 / 4;
    }
    .story[open] > summary .why {
      display: none;
    }
  }
`
