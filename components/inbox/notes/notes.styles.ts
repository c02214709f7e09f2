// The line about a pause, above the list, and the row about web push, below it.

import { css } from '@lit/reactive-element'

export const styles = css`
  .note {
    flex: none;
    display: flex;
    align-items: center;
    gap: var(--_2);
    padding-inline: var(--_6) calc(var(--_4) - 4px);
  }
  .note > span {
    flex: 1;
    min-inline-size: 0;
    padding-block: 6px;
    text-wrap: pretty;
  }
  .note > svg {
    color: var(--_muted);
    margin-inline-end: var(--_1);
  }
  .note b {
    font-weight: 600;
    color: var(--_text);
  }
  .paused {
    min-block-size: 40px;
    background: var(--_hover);
    color: var(--_muted);
    font-size: var(--_text-sm);
    line-height: calc(20 / 13);
  }
  .note > button:not(.icon) {
    flex: none;
    min-block-size: max(32px, min(44px, var(--_touch) - 8px));
    padding-inline: var(--_3);
    border-radius: calc(var(--_radius-m) - 2px);
    font-size: inherit;
    font-weight: 600;
    color: var(--_text);
  }
  .note > button.quiet {
    color: var(--_muted);
    font-weight: 550;
  }
  .note > button:not(.main):hover {
    background: var(--_hover);
  }
  .push-row {
    min-block-size: 48px;
    border-block-start: 1px solid var(--_line);
    font-size: var(--_text-md);
  }
  .note.push-row > button:not(.icon) {
    font-size: calc(13em / 14);
  }
  .push-row > .good {
    color: var(--notif-success, light-dark(oklch(0.5 0.13 150), oklch(0.78 0.14 152)));
  }
  .push-row > .bad {
    color: var(--_danger);
  }
  .note > button.main {
    background: var(--_accent);
    box-shadow: none;
    color: var(--_on-accent);
  }
  .push-row > .icon {
    --_touch: var(--notif-touch, 32px);
  }
  .note > button[aria-disabled] {
    opacity: 0.6;
  }
  /* 36 drawn, 44 to hit. */
  @media (pointer: coarse) {
    .note > button:not(.icon) {
      position: relative;
    }
    .note > button:not(.icon)::after {
      content: '';
      position: absolute;
      inset: -4px;
    }
    .push-row > .icon {
      --_touch: var(--notif-touch, 44px);
    }
  }
  @media (width < 400px) {
    .note {
      padding-inline-start: var(--_4);
    }
  }
  /* The tokens are system colors already. A browser would paint text on a plate of its own. */
  @media (forced-colors: active) {
    .note.note > svg {
      color: inherit;
    }
    .note > button.main {
      forced-color-adjust: none;
      background: Highlight;
      color: HighlightText;
    }
    .note > button:not(.main, .icon) {
      border: 1px solid ButtonText;
    }
    .paused {
      border-block-end: 1px solid CanvasText;
    }
  }
`
