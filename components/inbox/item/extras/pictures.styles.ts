// Pictures of people, icons, and the bar of a row.

import { css } from '@lit/reactive-element'

export const pictures = css`
  .below {
    grid-column: 2 / -1;
    min-inline-size: 0;
  }
  /* Beside the button of the row. */
  .coarse .below {
    padding-inline-end: 36px;
  }
  .avatar svg {
    inline-size: 50%;
    block-size: 50%;
  }
  .pic {
    grid-row: 1 / span 2;
    position: relative;
    inline-size: var(--_a);
    block-size: var(--_a);
  }
  .pic > .avatar {
    inline-size: 100%;
    block-size: 100%;
  }
  .kind {
    position: absolute;
    inset-block-end: -3px;
    inset-inline-end: -4px;
    display: grid;
    place-items: center;
    inline-size: 20px;
    block-size: 20px;
    border-radius: 50%;
    background: light-dark(oklch(0.52 0.15 var(--_h)), oklch(0.78 0.1 var(--_h)));
    color: light-dark(#fff, oklch(0.22 0.04 var(--_h)));
  }
  .kind svg {
    inline-size: 13px;
    block-size: 13px;
    stroke-width: 2;
  }
  /* The gap around the badge shows the row, whatever its color is. */
  .pic:has(.kind) > .avatar {
    --_kx: calc(100% - 6px);
    mask: radial-gradient(circle at var(--_kx) calc(100% - 7px), transparent 12px, #000 12.5px);
  }
  .pic:dir(rtl) > .avatar {
    --_kx: 6px;
  }
  .two > .avatar {
    position: absolute;
    inline-size: 68%;
    block-size: 68%;
    font-size: calc(var(--_a) * 0.27);
  }
  .two > .avatar:first-child {
    inset-block-start: 0;
    inset-inline-start: 0;
    --_kx: 98%;
    mask: radial-gradient(circle at var(--_kx) 98%, transparent 15px, #000 15.5px);
  }
  .two:dir(rtl) > .avatar:first-child {
    --_kx: 2%;
  }
  .two > .avatar:last-child {
    inset-block-end: 0;
    inset-inline-end: 0;
  }
  .people {
    display: flex;
    align-items: center;
    gap: var(--_2);
    margin-block-start: 6px;
    font-size: var(--_text-sm);
    color: var(--_muted);
  }
  .people > [aria-hidden] {
    display: flex;
  }
  .people .avatar {
    --_a: 24px;
  }
  .people .avatar + .avatar {
    margin-inline-start: -6px;
  }
  .people .avatar:not(:last-child) {
    --_kx: calc(100% + 6px);
    mask: radial-gradient(circle at var(--_kx) 50%, transparent 13.5px, #000 14px);
  }
  .people:dir(rtl) .avatar {
    --_kx: -6px;
  }
  .came-back {
    grid-column: 2 / -1;
    display: flex;
    align-items: center;
    gap: 6px;
    font-size: var(--_text-sm);
    line-height: calc(20 / 13);
    color: var(--_muted);
  }
  .came-back svg {
    flex: none;
  }
  .wake-time {
    display: inline-flex;
    align-items: center;
    gap: 4px;
  }
  .progress {
    display: grid;
    grid-template-columns: 1fr auto;
    align-items: center;
    margin-block-start: 6px;
    min-block-size: 20px;
    font-size: var(--_text-sm);
  }
  .bar {
    block-size: 4px;
    border-radius: 2px;
    background: color-mix(in oklab, var(--_text) 12%, transparent);
    overflow: clip;
  }
  .bar > i {
    display: block;
    block-size: 100%;
    border-radius: 2px;
    background: var(--_accent);
    transition: inline-size var(--_slow) var(--_ease);
  }
  .bar[data-bad] > i {
    background: var(--_danger);
  }
  .bar[data-unknown] > i {
    inline-size: 34%;
    animation: slide 1.4s ease-in-out infinite alternate;
  }
  @keyframes slide {
    from {
      translate: -40%;
    }
    to {
      translate: 234%;
    }
  }
  .percent {
    min-inline-size: 4ch;
    margin-inline-start: var(--_3);
    color: var(--_muted);
    font-variant-numeric: tabular-nums;
    text-align: end;
  }
  @media (prefers-reduced-motion: reduce) {
    .bar > i {
      transition: none;
    }
    .bar[data-unknown] > i {
      inline-size: 100%;
      opacity: 0.45;
      animation: none;
    }
  }
  @media (forced-colors: active) {
    .bar {
      border: 1px solid CanvasText;
      block-size: 6px;
    }
    .bar > i {
      forced-color-adjust: none;
      background: Highlight;
    }
    /* Not by colour alone: it has stopped. */
    .bar[data-bad] > i {
      background: CanvasText;
    }
    .kind {
      border: 1px solid CanvasText;
    }
  }
`
