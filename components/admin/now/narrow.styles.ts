// Now in narrow windows and in forced colours.

import { css } from 'lit'

export const narrow = css`
  @media (width < 1180px) {
    .figures {
      grid-template-columns: 1fr 1fr 1fr;
    }
    .figure:first-child {
      grid-column: 1 / -1;
      padding-inline: 0;
      border-block-end: 1px solid var(--_line);
    }
    .figure:nth-child(2) {
      border: 0;
      padding-inline-start: 0;
    }
  }
  @media (width < 840px) {
    .state {
      grid-template-columns: 36px minmax(0, 1fr);
      column-gap: 12px;
      padding-block-start: 20px;
    }
    .state-mark {
      inline-size: 36px;
      block-size: 36px;
    }
    .state h1 {
      font-size: 1.25rem;
      line-height: 26px;
    }
    .state > p,
    .state .actions {
      grid-column: 1 / -1;
    }
    .state p {
      margin-block-start: 10px;
    }
    .state[data-tone='bad'] {
      margin-block-start: 16px;
      padding: 18px 16px 16px;
    }
    .state .actions .button {
      flex: 1;
    }
    .needs > li {
      grid-template-columns: 20px minmax(0, 1fr);
      column-gap: 12px;
    }
    .needs .button {
      grid-column: 2;
      justify-self: start;
      margin-block-start: 8px;
    }
    .figures {
      grid-template-columns: 1fr 1fr;
    }
    .figure {
      padding-inline: 12px 0;
    }
    .figure:nth-child(2) {
      padding-inline: 0 12px;
    }
    .figure:nth-child(4) {
      grid-column: 1 / -1;
      border: 0;
      border-block-start: 1px solid var(--_line);
      padding-inline: 0;
    }
    .wide {
      grid-template-columns: minmax(0, 1fr);
    }
  }
  @media (forced-colors: active) {
    .state[data-tone='bad'] {
      border: 1px solid CanvasText;
    }
  }
`
