// The dialog of the preferences: not wider than the page, and its middle scrolls.

import { css } from '@lit/reactive-element'

export const styles = css`
  :host {
    display: contents;
  }
  dialog {
    inline-size: min(520px, calc(100vi - 32px));
    max-inline-size: none;
    max-block-size: min(680px, calc(100dvb - 32px));
    padding: 0;
    border: 0;
    border-radius: var(--_radius-l);
    background: var(--_raised);
    color: var(--_text);
    box-shadow: var(--_shadow);
    overflow: clip;
  }
  dialog[open] {
    display: flex;
    flex-direction: column;
    animation: appear var(--_fast) var(--_ease);
  }
  dialog::backdrop {
    background: oklch(0.2 0.01 265 / 0.4);
  }
  .header {
    padding-block-end: var(--_3);
  }
  .list {
    flex: auto;
    padding: 0 var(--_6);
  }
  .type:first-child {
    border: 0;
  }
  .footer {
    justify-content: space-between;
    gap: var(--_4);
    padding-inline: var(--_6);
    font-size: var(--_text-sm);
    color: var(--_muted);
  }
  .saved {
    display: inline-flex;
    align-items: center;
    gap: var(--_1);
    color: var(--notif-success, light-dark(oklch(0.5 0.13 150), oklch(0.79 0.14 155)));
  }
  @keyframes appear {
    from {
      opacity: 0;
      translate: 0 6px;
    }
  }
  @media (prefers-reduced-motion: reduce) {
    dialog[open] {
      animation: none;
    }
  }
  @media (forced-colors: active) {
    dialog {
      border: 1px solid CanvasText;
    }
  }
`
