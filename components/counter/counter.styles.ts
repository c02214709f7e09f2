// The counter: the badge alone, or on the corner of its child.

import { css } from '@lit/reactive-element'

export const styles = css`
  :host {
    position: relative;
    display: inline-block;
  }
  .seat {
    font-size: medium;
    letter-spacing: normal;
    text-indent: 0;
    text-shadow: none;
  }
  .badge {
    vertical-align: middle;
    --_b: 20px;
    padding-inline: 6px;
    font-size: 0.75em;
  }
  .around .badge {
    position: absolute;
    inset-block-start: -6px;
    /* Placed by its start edge, so that a longer number grows outwards and not over the child. */
    inset-inline-start: calc(100% - 12px);
  }
  .around .dot {
    inset-block-start: -3px;
    inset-inline: auto -3px;
  }
`
