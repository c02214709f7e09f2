// The launcher: the bell as a round button, fixed to a corner.

import { css } from '@lit/reactive-element'

export const styles = css`
  :host {
    position: fixed;
    z-index: var(--_z, 1030);
    inset-block: auto max(var(--_dy, 24px), env(safe-area-inset-bottom));
    right: max(var(--_dx, 24px), env(safe-area-inset-right));
  }
  /* Corners are physical, as in the API. */
  :host([position^='TOP']) {
    inset-block: max(var(--_dy, 24px), env(safe-area-inset-top)) auto;
  }
  :host([position$='LEFT']) {
    left: max(var(--_dx, 24px), env(safe-area-inset-left));
    right: auto;
  }
  .bell {
    inline-size: var(--_width, 56px);
    block-size: var(--_height, 56px);
    border-radius: 50%;
    background: var(--_raised);
    color: var(--_icon-color, var(--_text));
    box-shadow: var(--_shadow);
    transition:
      background-color var(--_fast),
      translate var(--_fast) var(--_ease);
  }
  .bell:is(:hover, [aria-expanded='true']) {
    background: color-mix(in oklab, var(--_text) 6%, var(--_raised));
  }
  .bell:active {
    translate: 0 1px;
  }
  .bell.bell svg {
    mask: none;
  }
  .bell.bell .badge {
    inset-block: -2px auto;
    inset-inline: auto -2px;
    --_b: 20px;
    padding-inline: 6px;
    font-size: 0.75em;
    box-shadow: 0 0 0 2px var(--_raised);
  }
  .bell.bell .dot {
    inset-block: 3px auto;
    inset-inline: auto 3px;
    --_b: 12px;
    padding: 0;
  }
  @media (forced-colors: active) {
    .bell {
      border: 1px solid CanvasText;
    }
  }
`
