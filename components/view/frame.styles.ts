// Heading, tabs, headings of days and the end of the list.

import { css } from '@lit/reactive-element'

export const frame = css`
  .header {
    padding-block: var(--_3) 0;
    padding-inline: var(--_6);
    border-block-end: 1px solid var(--_line);
  }
  .headline {
    display: flex;
    flex-wrap: wrap;
    justify-content: end;
    align-items: center;
    gap: var(--_1);
    /* The icons align with the times of the rows, whatever the size of the buttons is. */
    margin-inline-end: calc((20px - var(--_touch)) / 2);
  }
  .tools {
    display: flex;
    gap: var(--_1);
  }
  /* If its longest word does not fit beside the buttons, they wrap, so that no word is broken. */
  .heading {
    flex: 1 0 min-content;
    max-inline-size: 100%;
    overflow-wrap: break-word;
    font-size: var(--_text-lg);
    font-weight: 650;
    line-height: calc(24 / 18);
    letter-spacing: -0.012em;
  }
  .heading:focus {
    outline: none;
  }
  .close {
    display: none;
  }
  .tabs {
    display: flex;
    margin-inline: calc(-1 * var(--_3));
    overflow-x: auto;
    scrollbar-width: none;
  }
  .tab {
    position: relative;
    flex: none;
    min-block-size: max(40px, var(--_touch));
    /* Padding instead of a gap, so that clicks beside a short word hit it. */
    padding-inline: var(--_3);
    border-radius: var(--_radius-s);
    font-size: var(--_text-md);
    font-weight: 500;
    color: var(--_muted);
    white-space: nowrap;
    transition: color var(--_fast);
  }
  .tab:hover,
  .tab[aria-pressed='true'] {
    color: var(--_text);
  }
  .tab::after {
    content: '';
    position: absolute;
    inset: auto var(--_3) 0;
    /* A border is visible in forced colors. */
    border-block-start: 2px solid;
    border-radius: 2px 2px 0 0;
    scale: 0 1;
    opacity: 0;
    transition:
      scale var(--_fast) var(--_ease),
      opacity var(--_fast);
  }
  .tab[aria-pressed='true']::after {
    scale: 1;
    opacity: 1;
  }
  .num {
    font-variant-numeric: tabular-nums;
  }
  .tab[aria-pressed='true'] .num {
    color: var(--_accent);
  }

  .list {
    flex: 1;
    padding: var(--_2);
    overflow-y: auto;
    overscroll-behavior: contain;
    scrollbar-width: thin;
    scrollbar-color: color-mix(in oklab, var(--_text) 22%, transparent) transparent;
  }
  .list.still {
    display: flex;
    flex-direction: column;
  }
  .day {
    padding: var(--_3) var(--_4) var(--_1);
    font-size: var(--_text-sm);
    font-weight: 500;
    color: var(--_muted);
  }
  .day.new {
    display: flex;
    align-items: center;
    gap: var(--_2);
    font-weight: 600;
    color: var(--_accent);
  }
  .day.new::after {
    content: '';
    flex: 1;
    border-block-start: 1px solid color-mix(in oklab, var(--_accent) 36%, transparent);
  }
  .block:first-child .day:first-child {
    padding-block-start: var(--_1);
  }
  .footer {
    flex: none;
    display: flex;
    align-items: center;
    justify-content: center;
    min-block-size: max(48px, var(--_touch));
    border-block-start: 1px solid var(--_line);
  }
  ::slotted([slot='footer']) {
    font-size: var(--_text-md);
    font-weight: 550;
    color: inherit;
    text-decoration: none;
  }
  .end {
    display: flex;
    align-items: center;
    gap: var(--_3);
    padding: var(--_4) var(--_4) var(--_2);
    font-size: var(--_text-sm);
    color: var(--_muted);
  }
  .end::before,
  .end::after {
    content: '';
    flex: 1;
    border-block-start: 1px solid var(--_line);
  }

  /* Inside the edge: the parent would clip it outside. */
  :is(.list, .tab, .item):focus-visible {
    outline-offset: -2px;
  }
  /* The line height of small text is 20 px. */
  :is(.day, .time, .end, .banner, .pager-text) {
    line-height: calc(20 / 13);
  }
  @media (width < 480px) {
    .panel .close {
      display: inline-grid;
    }
    :is(.headline, .tools) {
      gap: 0;
    }
    /* Buttons have space at their start, so the heading may be close. */
    .tools {
      margin-inline-start: calc(-1 * var(--_2));
    }
  }
`
