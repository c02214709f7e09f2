// The menu of a notification on touch screens, and how a new one comes in.

import { css } from '@lit/reactive-element'

export const itemExtras = css`
  .menu {
    inset: auto;
    position-area: block-end span-inline-start;
    position-try-fallbacks: flip-block;
    inline-size: max-content;
    min-inline-size: 208px;
    margin: 0;
    padding: var(--_2);
    border: 0;
    border-radius: calc(var(--_radius-m) + var(--_1));
    background: var(--_raised);
    color: var(--_text);
    box-shadow: var(--_shadow);
  }
  .menu button {
    display: flex;
    align-items: center;
    gap: var(--_3);
    inline-size: 100%;
    min-block-size: var(--_touch);
    padding-inline: var(--_3);
    border-radius: var(--_radius-s);
    font-size: var(--_text-md);
    text-align: start;
  }
  .menu button:is(:hover, :focus-visible) {
    background: var(--_hover);
  }
  .menu svg {
    color: var(--_muted);
  }

  @supports not (position-area: block-end) {
    .menu {
      inset: auto 16px 16px auto;
    }
  }
  @media (forced-colors: active) {
    .menu {
      border: 1px solid CanvasText;
    }
  }
  /* Arriving: the row opens its own space, then a wash of accent lets go of it. */
  .item[data-new] {
    interpolate-size: allow-keywords;
    animation:
      open var(--_slow) var(--_ease) backwards,
      wash 2.4s ease-out backwards;
  }
  .item[data-new] .mark {
    animation: pop var(--_slow) var(--_ease) 120ms both;
  }
  @keyframes open {
    from {
      block-size: 0;
      padding-block: 0;
      opacity: 0;
      overflow: clip;
      translate: 0 -8px;
    }
    to {
      block-size: auto;
      overflow: clip;
    }
  }
  @keyframes wash {
    0%,
    30% {
      background-color: color-mix(in oklab, var(--_accent) 16%, transparent);
    }
  }
  @media (prefers-reduced-motion: reduce) {
    .item[data-new] {
      animation: wash 2.4s ease-out both;
    }
    .item[data-new] .mark {
      animation: none;
    }
  }
`
