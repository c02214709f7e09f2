// The list of types.

import { css } from 'lit'

export const styles = css`
  th b,
  th .mono {
    display: block;
  }
  th .mono {
    color: var(--_muted);
    line-height: 16px;
  }
  .langs {
    display: flex;
    flex-wrap: wrap;
    gap: 4px;
    min-inline-size: 132px;
  }
  .x-state {
    inline-size: 31%;
    max-inline-size: 0;
  }
  .x-state .status {
    display: flex;
    min-inline-size: 0;
  }
  .x-state .clip {
    min-inline-size: 0;
  }
  @media (width < 1180px) {
    .x-spark {
      display: none;
    }
  }
  @media (width < 840px) {
    .table.stacks .x-spark {
      display: none;
    }
    .table.stacks .x-state {
      flex: 1 1 100%;
      inline-size: auto;
      max-inline-size: 100%;
    }
  }
`
