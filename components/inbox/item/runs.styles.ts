// Bold text, code and links in the title and body of a row.

import { css } from '@lit/reactive-element'

export const runs = css`
  .item .title:has(b) {
    font-weight: 400;
  }
  .item[data-unread] .title:has(b) {
    font-weight: 450;
  }
  .item b {
    font-weight: 550;
  }
  .item[data-unread] b {
    font-weight: 680;
  }
  .item code {
    padding: 1px 4px;
    border-radius: 4px;
    background: var(--_hover);
    font-family: monospace;
    font-size: 0.9em;
  }
  .body a {
    position: relative;
    z-index: 1;
    color: inherit;
  }
`
