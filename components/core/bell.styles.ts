// The bell and its badge.

import { css } from '@lit/reactive-element'

// The badge is placed by its start edge, so the notch in the bell is the same for 3, 12 and 99+. The notch is a mask, not a painted
// ring, so it fits any background.
export const badge = css`
  .badge {
    --_b: 16px;
    display: inline-block;
    min-inline-size: var(--_b);
    block-size: var(--_b);
    padding-inline: 4px;
    border-radius: calc(var(--_b) / 2);
    background: var(--_bubble, var(--notif-bubble, var(--_accent)));
    color: var(--_bubble-text, var(--notif-bubble-text, var(--_on-accent)));
    font-size: 0.6875em;
    font-weight: 650;
    line-height: var(--_b);
    text-align: center;
    font-variant-numeric: tabular-nums;
    white-space: nowrap;
    overflow-wrap: normal;
    unicode-bidi: plaintext;
    translate: var(--_offset, 0);
  }
  .badge.dot {
    --_b: 9px;
    padding: 0;
  }
  @media (forced-colors: active) {
    .badge {
      forced-color-adjust: none;
      background: Highlight;
      color: HighlightText;
    }
  }
`

export const bell = css`
  :host {
    display: inline-block;
    vertical-align: middle;
  }
  .bell {
    --_i: var(--_icon, 24px);
    anchor-name: --notif-bell;
    position: relative;
    display: inline-grid;
    place-items: center;
    vertical-align: middle;
    inline-size: var(--_width, max(40px, var(--_touch)));
    block-size: var(--_height, max(40px, var(--_touch)));
    border-radius: var(--_radius-m);
    color: var(--_icon-color, inherit);
    transition: background-color var(--_fast);
  }
  .bell:is(:hover, [aria-expanded='true']) {
    background: color-mix(in oklab, currentColor 8%, transparent);
  }
  .bell svg {
    --_x: calc(100% - 3px);
    --_y: 3px;
    --_r: 10px;
    inline-size: var(--_i);
    block-size: var(--_i);
    stroke-width: 1.35;
    transform-origin: 50% 10%;
  }
  .bell:dir(rtl) svg {
    scale: -1 1;
  }
  .bell:has(.badge) svg {
    mask: radial-gradient(circle at var(--_x) var(--_y), transparent var(--_r), #000 calc(var(--_r) + 0.5px));
  }
  .bell:has(.dot) svg {
    --_r: 6.5px;
    --_x: calc(100% - 6px);
    --_y: 5px;
  }
  .bell .badge {
    position: absolute;
    inset-block-start: calc(50% - var(--_i) / 2 - 5px);
    inset-inline-start: calc(50% + var(--_i) / 2 - 11px);
  }
  .bell .dot {
    inset-block-start: calc(50% - var(--_i) / 2 + 0.5px);
    inset-inline-start: calc(50% + var(--_i) / 2 - 10.5px);
  }
  .bell.own {
    inline-size: var(--_width, auto);
    block-size: var(--_height, auto);
    min-inline-size: var(--_touch);
    min-block-size: var(--_touch);
  }
  .bell.own .badge {
    inset-block-start: -4px;
    inset-inline: auto -8px;
  }
  .bell[data-new] svg {
    animation: ring calc(2 * var(--_slow)) ease-in-out;
  }
  .bell[data-new] .badge {
    animation: pop var(--_slow) var(--_ease) both;
  }
  @keyframes ring {
    15% {
      rotate: 11deg;
    }
    35% {
      rotate: -9deg;
    }
    55% {
      rotate: 6deg;
    }
  }
`
