// Work that runs on the server: what it is, how far it is, and its buttons.

import { css } from 'lit'

export const orders = css`
  .order {
    padding: 16px;
    margin-block-end: 12px;
  }
  .order-head {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 8px 10px;
    margin-block-end: 10px;
  }
  .order-head > svg {
    color: var(--_muted);
  }
  .order-head > b {
    font-size: var(--_m);
  }
  .order-numbers {
    display: flex;
    flex-wrap: wrap;
    gap: 4px 20px;
    margin-block-start: 8px;
    color: var(--_muted);
  }
  .order-numbers b {
    color: var(--_text);
  }
  @media (width < 840px) {
    .order-head .grow {
      flex-basis: 100%;
    }
  }
`
