// The tokens of inbox and preferences, which a bell does not need.

import { css } from '@lit/reactive-element'

export const viewTokens = css`
  :host {
    --_surface: var(--notif-surface, light-dark(#fff, oklch(0.195 0.006 265)));
    --_muted: var(--notif-muted, light-dark(oklch(0.455 0.014 265), oklch(0.775 0.01 265)));
    --_control: var(--notif-control, light-dark(oklch(0.61 0.012 265), oklch(0.64 0.012 265)));
    --_hover: var(--notif-hover, color-mix(in oklab, var(--_text) 5%, transparent));
    --_unread: var(--notif-unread, color-mix(in oklab, var(--_accent) 5%, transparent));
    --_danger: var(--notif-danger, light-dark(oklch(0.52 0.19 27), oklch(0.77 0.13 25)));
    --_radius-s: var(--notif-radius-s, 6px);
    --_radius-l: var(--notif-radius-l, 16px);
    --_1: var(--notif-space, 4px);
    --_2: calc(2 * var(--_1));
    --_3: calc(3 * var(--_1));
    --_4: calc(4 * var(--_1));
    --_6: calc(6 * var(--_1));
    --_text-sm: var(--notif-text-sm, 0.8125em);
    --_text-md: var(--notif-text-md, 0.875em);
    --_text-lg: var(--notif-text-lg, 1.125em);
  }
  @media (prefers-contrast: more) {
    :host {
      --_muted: var(--_text);
      --_line: var(--_control);
    }
  }
  /* Illustrations keep their colors in forced colors, so they get system colors. */
  @media (forced-colors: active) {
    :host {
      --_accent: Highlight;
      --_on-accent: HighlightText;
      --_raised: Canvas;
      --_muted: CanvasText;
      --_control: ButtonText;
    }
  }
`
