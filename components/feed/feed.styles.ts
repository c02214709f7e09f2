// The feed: the same rows with more space, on the background of the page.

import { css } from '@lit/reactive-element'

export const styles = css`
  :host {
    display: block;
    color: var(--_text);
  }
  :host([bordered]) {
    --_base: var(--_surface);
    background: var(--_base);
    border-radius: var(--_radius-l);
    /* An outline takes no space, and is visible in forced colors. */
    outline: 1px solid var(--_line);
    outline-offset: -1px;
  }
  /* The background of the page is unknown: unread rows have no tint, but their mark and weight. */
  :host(:not([bordered])) {
    --_unread: var(--notif-unread, transparent);
    /* Rows extend into the margin of the page by painting only, so that nothing scrolls horizontally. */
    contain: layout;
  }
  .header {
    padding-block-start: var(--_4);
  }
  .list {
    overflow: visible;
  }
  :host(:not([bordered])) :is(.header, .list, .pager) {
    padding-inline: 0;
  }
  :host(:not([bordered])) .list {
    /* Not beyond the edge of the window, which would cut the mark. */
    margin-inline: calc(-1 * clamp(0px, (100vi - 100%) / 2, var(--_4)));
  }
  :host(:not([bordered])) .banner {
    margin-inline: calc(-1 * var(--_4));
    padding-inline: var(--_4);
    border-radius: var(--_radius-m);
  }
  :host([split]) .item {
    margin-block-end: 9px;
  }
  :host([split]) :is(.item:not(:last-child), .block:not(:last-child) > .item)::before {
    content: '';
    position: absolute;
    inset-block: auto -5px;
    inset-inline: var(--_edge, calc(var(--_4) + var(--_a) + var(--_3))) var(--_4);
    border-block-end: 1px solid var(--_line);
  }
  :host([size='small']) {
    --_avatar: 28px;
    --_pad: var(--_2);
  }
  :host([size='small']) .body {
    -webkit-line-clamp: 1;
  }
  :host([size='small']) :is(.title, .body) {
    font-size: var(--_text-sm);
    line-height: calc(20 / 13);
  }
  :host([size='large']) {
    --_avatar: 48px;
    --_pad: var(--_4);
    --_text-sm: 0.875em;
  }
  :host([size='large']) .item {
    --_edge: calc(2 * var(--_4) + var(--_a));
    column-gap: var(--_4);
  }
  :host([size='large']) .item :is(.title, .body) {
    font-size: 1em;
    line-height: 1.5;
  }
  :host([size='large']) .time {
    block-size: calc(24em / 14);
  }
  :host([size='large']) .body {
    -webkit-line-clamp: 3;
  }
  .more-rows {
    display: grid;
    justify-items: center;
    padding: var(--_3) var(--_4);
  }
  .list.scrolls {
    overflow-y: auto;
    max-block-size: var(--_list-height);
  }
  @media print {
    /* Paper does not scroll. */
    .list.scrolls {
      max-block-size: none;
    }
    .item {
      break-inside: avoid;
    }
  }
`
