// The list of users.

import { css } from 'lit'

export const styles = css`
  .find {
    position: relative;
    flex: 1 1 280px;
    max-inline-size: 420px;
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
  .table td,
  .table th[scope='row'] {
    block-size: 48px;
  }
  tr.chosen {
    background: var(--_hover);
    box-shadow: inset 2px 0 var(--_accent);
  }
  @media (pointer: coarse) {
    .find svg {
      inset-block-start: 14px;
    }
  }
`
