// The rows of channels on a phone.

import { css } from 'lit'

export const lanes = css`
  @media (width < 840px) {
    .lanes,
    .lanes tbody {
      display: block;
    }
    .lanes thead {
      display: none;
    }
    .lanes tr {
      display: grid;
      grid-template-columns: minmax(0, 1fr) 84px minmax(44px, auto);
      gap: 8px 12px;
      align-items: center;
      padding: 12px 16px;
      border-block-end: 1px solid var(--_line);
    }
    .lanes tr:last-child {
      border: 0;
    }
    .card .lanes.table tr > :is(th, td):nth-child(n) {
      display: block;
      block-size: auto;
      padding: 0;
      border: 0;
    }
    .card .lanes.table tr > :is(.l-minute, .l-rate, .l-late):nth-child(n) {
      display: none;
    }
    .lanes .l-name {
      grid-area: 1 / 1;
    }
    .lanes .l-spark {
      grid-area: 1 / 2;
    }
    .lanes .spark {
      inline-size: 84px;
    }
    .lanes .l-action {
      grid-area: 1 / 3;
    }
    .lanes .l-state {
      grid-area: 2 / 1 / auto / 3;
    }
    .lanes .l-wait {
      grid-area: 2 / 3;
    }
    .lanes .l-wait::after {
      content: ' wait';
      color: var(--_muted);
    }
  }
`
