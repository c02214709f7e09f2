// The list of types.

import { css } from 'lit'

export const styles = css`
  .find {
    position: relative;
    flex: 1 1 240px;
    max-inline-size: 320px;
  }
  .find svg {
    position: absolute;
    inset-inline-start: 10px;
    inset-block-start: 10px;
    color: var(--_muted);
  }
  .find .input {
    padding-inline-start: 34px;
  }
  .table :is(td, th[scope='row']) {
    block-size: 56px;
  }
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
  }
  tr.chosen {
    background: var(--_hover);
    box-shadow: inset 2px 0 var(--_accent);
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
  }
`
