// Parts of a page: its head, sections, cards, facts, notes, tabs and columns.

import { css } from 'lit'

export const page = css`
  .wrap {
    max-inline-size: 1368px;
    margin-inline: auto;
    padding-inline: var(--_page-pad);
  }
  .crumbs {
    display: flex;
    align-items: center;
    gap: 6px;
    padding-block-start: 20px;
    color: var(--_muted);
  }
  .crumbs a:hover {
    color: var(--_text);
    text-decoration: underline;
    text-underline-offset: 3px;
  }
  .crumbs svg {
    inline-size: 14px;
    block-size: 14px;
  }
  .head {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 8px 12px;
    padding-block: 24px 16px;
  }
  .crumbs + .head {
    padding-block-start: 8px;
  }
  h1 {
    font-size: 1.375rem;
    line-height: 28px;
    font-weight: 650;
    letter-spacing: -0.02em;
    text-wrap: balance;
  }
  .head-text {
    flex: 1 1 340px;
    min-inline-size: 0;
  }
  .head-text p {
    color: var(--_muted);
    font-size: var(--_m);
  }
  .actions {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 8px;
  }
  .meta {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 4px 16px;
    color: var(--_muted);
  }
  .meta > * {
    display: inline-flex;
    align-items: center;
    gap: 6px;
    min-inline-size: 0;
  }
  .section {
    margin-block-start: 36px;
  }
  .section-head {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 4px 12px;
    min-block-size: 32px;
    margin-block-end: 8px;
  }
  :is(.section-head, .card-head) :is(h2, h3) {
    font-size: var(--_m);
    line-height: 20px;
    font-weight: 650;
    letter-spacing: -0.006em;
  }
  .section-head p {
    color: var(--_muted);
  }
  .end {
    margin-inline-start: auto;
  }
  .bar {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 8px;
    padding-block: 10px 8px;
  }
  .bar .end {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 8px;
  }
  .card {
    border-radius: 12px;
    border: 1px solid var(--_line);
    min-inline-size: 0;
    overflow: clip;
  }
  .card-head {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 4px 10px;
    min-block-size: 48px;
    padding: 8px 16px;
    border-block-end: 1px solid var(--_line);
  }
  .card-body {
    padding: 16px;
  }
  .card-foot {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 8px 12px;
    padding: 10px 16px;
    border-block-start: 1px solid var(--_line);
    color: var(--_muted);
  }
  .columns {
    display: grid;
    grid-template-columns: minmax(0, 1fr) 376px;
    gap: var(--_gap) 32px;
    align-items: start;
  }
  .stack {
    display: grid;
    gap: 20px;
    grid-template-columns: minmax(0, 1fr);
    align-content: start;
  }
  .rows > * {
    border-block-end: 1px solid var(--_line);
  }
  .rows > :last-child {
    border: 0;
  }
  .facts {
    display: grid;
    grid-template-columns: auto minmax(0, 1fr);
    gap: 0 16px;
  }
  .facts > div {
    display: grid;
    grid-column: 1 / -1;
    grid-template-columns: 116px minmax(0, 1fr);
    gap: 12px;
    padding-block: 8px;
    border-block-end: 1px solid var(--_line);
  }
  .facts > div:last-child {
    border: 0;
  }
  .facts dt {
    color: var(--_muted);
  }
  .facts dd {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 2px 8px;
    min-inline-size: 0;
  }
  .tabs {
    display: flex;
    gap: 20px;
    border-block-end: 1px solid var(--_line);
    overflow-x: auto;
    scrollbar-width: none;
  }
  .tabs :is(a, button) {
    position: relative;
    flex: none;
    min-block-size: 40px;
    display: inline-flex;
    align-items: center;
    gap: 6px;
    font-size: var(--_m);
    font-weight: 500;
    color: var(--_muted);
  }
  .tabs :is([aria-current='page'], [aria-selected='true']) {
    color: var(--_text);
  }
  .tabs :is([aria-current='page'], [aria-selected='true'])::after {
    content: '';
    position: absolute;
    inset: auto 0 -1px;
    border-block-start: 2px solid;
    border-radius: 2px 2px 0 0;
  }
  .tabs :focus-visible {
    outline-offset: -2px;
  }
  .pager {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 8px 12px;
    padding-block: 14px;
    color: var(--_muted);
  }
  .pager .end {
    display: flex;
    gap: 8px;
    color: var(--_text);
  }
  @media (width < 1180px) {
    .columns {
      grid-template-columns: minmax(0, 1fr);
    }
  }
  @media (width < 840px) {
    .head {
      padding-block-start: 16px;
    }
    .section-head p {
      flex-basis: 100%;
    }
    .bar .end {
      margin-inline-start: 0;
      inline-size: 100%;
    }
  }
  @media (width < 480px) {
    .facts > div {
      grid-template-columns: 96px minmax(0, 1fr);
    }
  }
  @media (forced-colors: active) {
    .card {
      border: 1px solid CanvasText;
    }
  }
`
