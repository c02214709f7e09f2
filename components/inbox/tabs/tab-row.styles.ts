// The row of tabs with those of the page: one line, and a button beside it for what does not fit.

import { css } from '@lit/reactive-element'

export const tabRow = css`
  .tabs:has(.tab-row) {
    overflow: hidden;
  }
  /* What does not fit wraps into a second line, which is out of sight. */
  .tab-row {
    display: flex;
    flex-wrap: wrap;
    min-inline-size: 0;
    block-size: max(40px, var(--_touch));
    overflow: hidden;
  }
  .tab[data-wrapped] {
    visibility: hidden;
  }
  .tab-more {
    display: inline-flex;
    align-items: center;
    gap: 2px;
  }
`
