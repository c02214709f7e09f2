// The tokens that are needed at first, with their defaults. The page can set them on any ancestor of an element.

import { css } from '@lit/reactive-element'

/** Elements inherit font, color scheme and direction of the page, but not size, spacing and letter case. */
export const reset = css`
  :host {
    font-size: medium;
    font-weight: 400;
    line-height: var(--_leading);
    letter-spacing: normal;
    text-transform: none;
    text-align: start;
    text-indent: 0;
    text-shadow: none;
    white-space: normal;
    word-break: normal;
    word-spacing: normal;
    font-style: normal;
    cursor: auto;
    overflow-wrap: anywhere;
    -webkit-tap-highlight-color: transparent;
  }
`

export const tokens = css`
  :host {
    --_accent: var(--notif-accent, light-dark(oklch(0.52 0.2 262), oklch(0.74 0.13 258)));
    --_on-accent: var(--notif-on-accent, light-dark(#fff, oklch(0.2 0.04 262)));
    --_raised: var(--notif-raised, light-dark(#fff, oklch(0.235 0.008 265)));
    --_text: var(--notif-text, light-dark(oklch(0.23 0.012 265), oklch(0.955 0.004 265)));
    --_line: var(--notif-line, color-mix(in oklab, var(--_text) 12%, transparent));
    --_focus: var(--notif-focus, var(--_accent));
    --_shadow: var(
      --notif-shadow,
      0 0 0 1px var(--_line),
      0 2px 6px -2px light-dark(oklch(0.2 0.02 265 / 0.1), oklch(0 0 0 / 0.5)),
      0 20px 44px -12px light-dark(oklch(0.2 0.02 265 / 0.22), oklch(0 0 0 / 0.7))
    );
    --_radius-m: var(--notif-radius-m, 10px);
    --_touch: var(--notif-touch, 36px);
    --_leading: var(--notif-leading, calc(20 / 14));
    --_fast: var(--notif-fast, 140ms);
    --_slow: var(--notif-slow, 320ms);
    --_ease: var(--notif-ease, cubic-bezier(0.2, 0.8, 0.2, 1));
  }
  :host([hidden]),
  [hidden] {
    display: none !important;
  }
  *,
  ::before,
  ::after {
    box-sizing: border-box;
  }
  button {
    margin: 0;
    padding: 0;
    border: 0;
    background: none;
    font: inherit;
    color: inherit;
    letter-spacing: inherit;
    text-align: inherit;
    cursor: pointer;
  }
  :focus-visible {
    outline: 2px solid var(--_focus);
    outline-offset: 2px;
  }
  svg {
    inline-size: 20px;
    block-size: 20px;
    flex: none;
    fill: none;
    stroke: currentColor;
    stroke-width: 1.5;
    stroke-linecap: round;
    stroke-linejoin: round;
    pointer-events: none;
  }
  /* Only for screen readers. */
  .sr {
    position: absolute;
    inline-size: 1px;
    block-size: 1px;
    overflow: hidden;
    clip-path: inset(50%);
    /* Keeps the space at the end, so that screen readers do not join it with the next word. */
    white-space: pre;
  }
  /* Appearing of a badge and of the mark of a row. */
  @keyframes pop {
    from {
      scale: 0;
    }
    60% {
      scale: 1.25;
    }
  }
  @media (pointer: coarse) {
    :host {
      --_touch: var(--notif-touch, 44px);
    }
  }
  @media (prefers-reduced-motion: reduce) {
    :host {
      --_fast: 1ms;
      --_slow: 1ms;
    }
  }
`
