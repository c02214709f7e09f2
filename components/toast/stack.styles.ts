// Toasts: a column in a corner of the window, above the page and under its dialogs.

import { css } from '@lit/reactive-element'

export const styles = css`
  .toasts {
    --_edge: var(--notif-toast-offset, 24px);
    --_from: 12px;
    --_out: 24px;
    position: fixed;
    z-index: 1040;
    inset: auto;
    inset-inline-end: max(var(--_edge), env(safe-area-inset-left), env(safe-area-inset-right));
    inset-block-end: max(var(--_edge), env(safe-area-inset-bottom), var(--_lift, 0px));
    display: flex;
    flex-direction: column-reverse;
    gap: var(--_2);
    inline-size: min(var(--notif-toast-width, 360px), calc(100vi - 32px));
    margin: 0;
    padding: 0;
    border: 0;
    overflow: visible;
    background: none;
    color: inherit;
    pointer-events: none;
  }
  .toasts:empty {
    display: none;
  }
  .toasts:dir(rtl) {
    --_out: -24px;
  }
  .toasts > * {
    pointer-events: auto;
  }
  :host([position^='TOP']) .toasts {
    --_from: -12px;
    inset-block: max(var(--_edge), env(safe-area-inset-top), var(--_lift, 0px)) auto;
    flex-direction: column;
  }
  :host([position$='LEFT']) .toasts {
    --_out: -24px;
    inset-inline: max(var(--_edge), env(safe-area-inset-left), env(safe-area-inset-right)) auto;
  }
  :host([position$='LEFT']) .toasts:dir(rtl) {
    --_out: 24px;
  }
  .toast {
    --_a: 40px;
    position: relative;
    display: grid;
    grid-template: auto auto / var(--_a) minmax(0, 1fr) auto;
    column-gap: var(--_3);
    padding: var(--_3) var(--_4);
    border-radius: calc(var(--_radius-m) + 4px);
    background: var(--_raised);
    color: var(--_text);
    box-shadow: var(--_shadow);
    touch-action: pan-y;
    transition: translate var(--_fast) var(--_ease);
    animation: arrive 240ms var(--_ease) backwards;
  }
  @keyframes arrive {
    from {
      opacity: 0;
      translate: 0 var(--_from);
    }
  }
  .toast[data-out] {
    opacity: 0;
    translate: var(--_out) 0;
    transition:
      translate var(--_fast) ease-in,
      opacity var(--_fast);
  }
  .toast.urgent {
    box-shadow:
      0 0 0 1.5px var(--_danger),
      var(--_shadow);
  }
  .toast .title {
    font-size: var(--_text-md);
    font-weight: 600;
    color: inherit;
    text-decoration: none;
    text-wrap: pretty;
    -webkit-line-clamp: 2;
  }
  .toast .title::after {
    border-radius: inherit;
  }
  .toast .title:focus-visible::after {
    outline-offset: 2px;
    border-radius: calc(var(--_radius-m) + 4px);
  }
  .toast .time {
    line-height: calc(20 / 13);
    transition: opacity var(--_fast);
  }
  .toast .close {
    --_touch: 28px;
    position: absolute;
    z-index: 1;
    inset-block-start: calc(var(--_3) - 4px);
    inset-inline-end: calc(var(--_4) - 6px);
    display: grid;
    border-radius: var(--_radius-s);
    opacity: 0;
    transition:
      opacity var(--_fast),
      background-color var(--_fast);
  }
  .toast:is(:hover, :focus-within) .close {
    opacity: 1;
  }
  .toast:is(:hover, :focus-within) .time {
    opacity: 0;
  }
  .rest {
    align-self: center;
    min-block-size: 32px;
    padding-inline: var(--_3);
    border-radius: 99px;
    background: var(--_raised);
    color: var(--_text);
    box-shadow: var(--_shadow);
    font-size: var(--_text-sm);
    font-weight: 550;
    line-height: 32px;
  }
  @media (pointer: coarse), (width < 480px) {
    .toast .close {
      --_touch: 44px;
      inset-block-start: 0;
      inset-inline-end: 2px;
      opacity: 1;
    }
    .toast .time {
      opacity: 0;
    }
  }
  @media (width < 480px) {
    :host .toasts.toasts.toasts {
      --_from: -12px;
      inset: max(8px, env(safe-area-inset-top)) 8px auto;
      inline-size: auto;
      flex-direction: column;
    }
    .toast {
      touch-action: none;
    }
    .rest {
      display: none;
    }
  }
  @media (prefers-reduced-motion: reduce) {
    .toast {
      animation-duration: 1ms;
    }
    .toast[data-out] {
      translate: none;
    }
  }
  @media (forced-colors: active) {
    .toast,
    .rest {
      border: 1px solid CanvasText;
    }
    .toast.urgent {
      border-inline-start: 4px solid CanvasText;
    }
  }
`
