// The line of an action.

import { css } from '@lit/reactive-element'

export const styles = css`
  .undo-line {
    position: relative;
    display: flex;
    align-items: center;
    gap: var(--_2);
    block-size: 36px;
    margin-block-end: 2px;
    padding-inline: var(--_4) calc(var(--_4) - 12px);
    border-radius: var(--_radius-m);
    background: var(--_hover);
    color: var(--_muted);
    font-size: var(--_text-sm);
    line-height: calc(20 / 13);
    overflow: clip;
    user-select: none;
  }
  .undo-line.all {
    position: sticky;
    z-index: 3;
    inset-block-start: 0;
    margin-block-end: var(--_1);
    background: linear-gradient(var(--_hover), var(--_hover)), var(--_base, var(--_raised));
  }
  .undo-line > * {
    animation: undo-words 100ms 40ms backwards;
  }
  /* Two lines fit into the height, so that a narrow list also shows until when a row is snoozed. */
  .undo-text {
    display: -webkit-box;
    flex: 1;
    -webkit-box-orient: vertical;
    -webkit-line-clamp: 2;
    min-inline-size: 0;
    overflow: hidden;
    overflow-wrap: anywhere;
    line-height: calc(16 / 13);
  }
  .undo-line b {
    font-weight: 600;
    color: var(--_text);
  }
  .undo-line[data-danger] :is(b, svg) {
    color: var(--_danger);
  }
  .undo-line button {
    display: inline-flex;
    flex: none;
    align-items: center;
    gap: 6px;
    min-block-size: 28px;
    padding-inline: 12px;
    border-radius: var(--_radius-s);
    font-weight: 600;
    color: var(--_text);
  }
  .undo-line button:hover {
    background: var(--_hover);
  }
  .undo-line :focus-visible,
  .undo-line:focus-visible {
    outline-offset: -2px;
  }
  .no-letters .undo-line .key {
    display: none;
  }
  /* Also while nothing is painted, its end ends the line. */
  .undo-line .time-left {
    position: absolute;
    inset: auto 0 0;
    block-size: 2px;
    background: color-mix(in oklab, var(--_text) 34%, transparent);
    transform-origin: 0 0;
    animation: undo-time 5s linear both;
  }
  .time-left:dir(rtl) {
    transform-origin: 100% 0;
  }
  .undo-line:is(:hover, :focus-within) .time-left {
    animation-play-state: paused;
  }
  @keyframes undo-words {
    from {
      opacity: 0;
    }
  }
  @keyframes undo-time {
    to {
      scale: 0 1;
    }
  }
  @media (pointer: coarse) {
    .undo-line {
      block-size: 44px;
    }
    .undo-line button {
      min-block-size: 44px;
    }
    .undo-line .key {
      display: none;
    }
  }
  @media (prefers-reduced-motion: reduce) {
    .undo-line > * {
      animation: none;
    }
    .undo-line .time-left {
      opacity: 0;
    }
  }
  @media (forced-colors: active) {
    .undo-line {
      border: 1px solid CanvasText;
    }
    .time-left {
      background: CanvasText;
    }
  }
`
