// Empty state, banner, skeleton and the button to new notifications.

import { css } from '@lit/reactive-element'

export const states = css`
  .new-items-button {
    position: sticky;
    z-index: 2;
    inset-block-start: var(--_1);
    block-size: 0;
    text-align: center;
  }
  .new-items-button::before {
    content: '';
    position: absolute;
    z-index: -1;
    inset: calc(-3 * var(--_1)) calc(-1 * var(--_2)) auto;
    block-size: 76px;
    background: linear-gradient(var(--_raised) 45%, transparent);
    pointer-events: none;
  }
  .new-items-button button {
    display: inline-flex;
    align-items: center;
    gap: var(--_1);
    min-block-size: max(32px, calc(var(--_touch) - 4px));
    padding-inline: var(--_2) var(--_3);
    border-radius: 99px;
    background: var(--_accent);
    color: var(--_on-accent);
    font-size: var(--_text-sm);
    font-weight: 600;
    box-shadow: 0 6px 16px -6px color-mix(in oklab, var(--_accent) 70%, black);
    animation: drop var(--_slow) var(--_ease) both;
  }
  @keyframes drop {
    from {
      opacity: 0;
      translate: 0 -12px;
    }
  }

  .more-new {
    position: sticky;
    z-index: 2;
    inset-block-end: 0;
    display: flex;
    justify-content: center;
    align-items: end;
    block-size: 0;
  }
  .more-new button {
    display: inline-flex;
    flex: none;
    align-items: center;
    gap: var(--_1);
    min-block-size: max(32px, calc(var(--_touch) - 4px));
    margin-block-end: 4px;
    padding-inline: var(--_2) var(--_3);
    border-radius: 99px;
    background: var(--_raised);
    font-size: var(--_text-sm);
    font-weight: 550;
    box-shadow:
      0 0 0 1px var(--_line),
      0 6px 16px -6px light-dark(oklch(0.2 0.02 265 / 0.3), oklch(0 0 0 / 0.7));
  }
  .more-new svg {
    color: var(--_accent);
  }

  .empty-state {
    flex: 1;
    display: grid;
    align-content: center;
    justify-items: center;
    gap: var(--_1);
    padding: var(--_6) var(--_6) calc(2 * var(--_6));
    text-align: center;
  }
  .empty-state .art {
    inline-size: 120px;
    block-size: 96px;
    margin-block-end: var(--_4);
    color: var(--_muted);
  }
  .art .fill {
    fill: var(--_hover);
    stroke: none;
  }
  .art .raised {
    fill: var(--_raised);
  }
  .art .accent {
    stroke: var(--_accent);
  }
  .art .soft {
    opacity: 0.4;
  }
  .empty-state p {
    max-inline-size: 34ch;
    font-size: var(--_text-md);
    color: var(--_muted);
    text-wrap: balance;
  }
  .empty-state .empty-state-title {
    font-weight: 650;
    color: var(--_text);
  }
  .empty-state .btn {
    margin-block-start: var(--_4);
  }
  @media (height < 480px) {
    .empty-state .art {
      display: none;
    }
  }
  .banner {
    display: grid;
    grid-template-columns: 40px 1fr;
    align-items: center;
    align-content: center;
    column-gap: var(--_3);
    min-block-size: 40px;
    padding: 6px var(--_6);
    background: var(--_hover);
    color: var(--_muted);
    text-wrap: balance;
  }
  /* Wraps between its sentences first. */
  .banner > span {
    display: flex;
    flex-wrap: wrap;
    column-gap: var(--_1);
    font-size: var(--_text-sm);
  }
  .banner svg {
    justify-self: center;
  }
  .banner .btn {
    grid-column: 2;
    justify-self: start;
  }
  .banner b {
    font-weight: 600;
    color: var(--_text);
  }
  .list.still:has(.skeleton) {
    overflow: hidden;
  }
  .skeleton-row {
    pointer-events: none;
  }
  .placeholder {
    border-radius: 99px;
    background: color-mix(in oklab, var(--_text) 11%, transparent);
    animation: breathe 1.6s ease-in-out infinite alternate;
  }
  .skeleton-row:nth-child(2n) .placeholder {
    animation-delay: 0.2s;
  }
  .skeleton-row:nth-child(3n) .placeholder {
    animation-delay: 0.4s;
  }
  span.placeholder {
    display: block;
    block-size: 10px;
    margin-block: 5px;
    inline-size: 60%;
  }
  .body .placeholder {
    inline-size: 92%;
  }
  .body .placeholder + .placeholder {
    inline-size: 48%;
  }
  .skeleton-row:nth-child(2n) .placeholder + .placeholder {
    inline-size: 70%;
  }
  .skeleton-row:nth-child(2n) span.title > .placeholder {
    inline-size: 45%;
  }
  .time .placeholder {
    inline-size: 32px;
  }
  .skeleton .title {
    display: block;
  }
  @keyframes breathe {
    to {
      opacity: 0.45;
    }
  }
  @media (prefers-reduced-motion: reduce) {
    .placeholder {
      animation: none;
    }
  }
  @media (forced-colors: active) {
    .placeholder,
    .more-new button,
    .new-items-button button {
      border: 1px solid CanvasText;
    }
    .banner {
      border-block-end: 1px solid CanvasText;
    }
  }
`
