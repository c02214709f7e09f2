// The sentence, the figures, the rows of channels.

import { css } from 'lit'

export const styles = css`
  .loading {
    padding-block: 48px;
  }
  .state {
    display: grid;
    grid-template-columns: 44px minmax(0, 1fr);
    column-gap: 16px;
    align-items: start;
    padding-block: 28px 4px;
  }
  .state-mark {
    display: grid;
    place-items: center;
    inline-size: 44px;
    block-size: 44px;
    border-radius: 50%;
    background: var(--_success-wash);
    color: var(--_success);
  }
  .state-mark[data-tone='warning'] {
    background: var(--_warning-wash);
    color: var(--_warning);
  }
  .state-mark svg {
    inline-size: 24px;
    block-size: 24px;
  }
  .state h1 {
    padding-block-start: 3px;
    font-size: var(--_xl);
    line-height: 34px;
    letter-spacing: -0.022em;
  }
  .state p {
    grid-column: 2;
    max-inline-size: 92ch;
    margin-block-start: 4px;
    font-size: var(--_m);
    color: var(--_muted);
    text-wrap: pretty;
  }
  .state[data-tone='bad'] {
    margin-block-start: 24px;
    padding: 20px 24px;
    border-radius: 14px;
    background: var(--_danger-wash);
    box-shadow: inset 0 0 0 1px color-mix(in oklab, var(--_danger) 32%, transparent);
  }
  .state[data-tone='bad'] .state-mark {
    background: var(--_danger);
    color: var(--_on-danger);
  }
  .state[data-tone='bad'] p {
    color: light-dark(oklch(0.4 0.02 25), oklch(0.84 0.02 25));
  }
  .state .actions {
    grid-column: 2;
    margin-block-start: 14px;
  }
  .needs > li {
    display: grid;
    grid-template-columns: 20px minmax(0, 1fr) auto;
    column-gap: 14px;
    align-items: center;
    padding: 12px 16px;
  }
  .needs > li > span {
    align-self: start;
    line-height: 0;
  }
  .needs b {
    font-size: var(--_m);
  }
  .needs p {
    color: var(--_muted);
    text-wrap: pretty;
  }
  .needs .mono {
    color: var(--_text);
  }
  .needs .button {
    min-inline-size: 108px;
  }
  .figures {
    display: grid;
    grid-template-columns: 2.1fr 1fr 1fr 1fr;
    margin-block-start: 24px;
    border-block: 1px solid var(--_line);
  }
  .figure {
    min-inline-size: 0;
    padding: 14px 20px;
    border-inline-start: 1px solid var(--_line);
  }
  .figure:first-child {
    border: 0;
    padding-inline-start: 0;
  }
  .figure:last-child {
    padding-inline-end: 0;
  }
  .figure dt {
    color: var(--_muted);
  }
  .figure-number {
    display: flex;
    align-items: baseline;
    gap: 6px;
    font-size: 1.5rem;
    line-height: 32px;
    font-weight: 600;
    letter-spacing: -0.02em;
  }
  .figure-number:dir(rtl) {
    direction: ltr;
    justify-content: end;
  }
  .figure-number small {
    font-size: var(--_s);
    font-weight: 400;
    letter-spacing: 0;
    color: var(--_muted);
  }
  .help {
    font-size: var(--_xs);
    line-height: 16px;
    color: var(--_muted);
  }
  .wide {
    display: grid;
    grid-template: auto 1fr / auto minmax(0, 1fr);
    column-gap: 24px;
  }
  .over-time {
    grid-area: 1 / 2 / span 2;
    /* Time goes from left to right, as in the rows below. */
    direction: ltr;
  }
  .lane-name {
    display: grid;
    grid-template-columns: 20px minmax(0, 1fr);
    column-gap: 10px;
    align-items: center;
  }
  .lane-name svg {
    grid-row: span 2;
    color: var(--_muted);
  }
  .lane-name b {
    font-size: var(--_m);
    font-weight: 550;
    line-height: 18px;
  }
  .lane-name span {
    grid-column: 2;
    font-size: var(--_xs);
    line-height: 16px;
    color: var(--_muted);
  }
  .lanes tbody :is(td, th) {
    block-size: 56px;
  }
  .why {
    display: block;
    font-size: var(--_xs);
    line-height: 16px;
    color: var(--_muted);
  }
  .lanes tr[data-tone='bad'] {
    background: var(--_danger-wash);
  }
  .lanes .danger {
    font-weight: 600;
  }
`
