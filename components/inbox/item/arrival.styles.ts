// The animation of a new notification.

import { css } from '@lit/reactive-element'

export const arrival = css`
  /* The row grows to its height, then its accent color fades. */
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
