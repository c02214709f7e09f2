// The page controls.

import { css } from '@lit/reactive-element'

export const pager = css`
  .pager {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: var(--_1);
    padding: var(--_2) var(--_6);
    border-block-start: 1px solid var(--_line);
  }
  .pager-text {
    flex: 1;
    font-size: var(--_text-sm);
    color: var(--_muted);
    font-variant-numeric: tabular-nums;
    white-space: nowrap;
  }
  .gap {
    min-inline-size: 20px;
    text-align: center;
    font-size: var(--_text-sm);
    color: var(--_muted);
  }
  .pager[data-at='top'] {
    border-block: 0;
    border-block-end: 1px solid var(--_line);
  }
  .pager .page {
    min-inline-size: var(--_touch);
    min-block-size: var(--_touch);
    border-radius: var(--_radius-m);
    font-size: var(--_text-sm);
    font-variant-numeric: tabular-nums;
    text-align: center;
    color: var(--_muted);
  }
  .pager .page:hover {
    background: var(--_hover);
  }
  .pager .page[aria-current] {
    color: var(--_text);
    font-weight: 650;
    border: 1px solid color-mix(in oklab, var(--_text) 20%, transparent);
  }
  /* The text is above the buttons, which shrink before one of them wraps alone. */
  @media (width < 480px) {
    .pager {
      position: relative;
      flex-wrap: nowrap;
      gap: 0;
      padding-block-start: 32px;
      padding-inline-end: var(--_3);
    }
    .pager-text {
      position: absolute;
      inset-block-start: var(--_2);
    }
    .pager :is(.page, .icon) {
      flex: 0 1 var(--_touch);
      inline-size: auto;
      min-inline-size: 24px;
    }
  }
`
