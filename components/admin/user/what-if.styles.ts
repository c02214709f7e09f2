// The form of a simulation, and what it foresees by channel.

import { css } from 'lit'

export const whatIfStyles = css`
  form {
    display: grid;
    grid-template-columns: 1fr 1fr 1.2fr auto;
    gap: 12px;
    align-items: end;
  }
  form .button {
    min-block-size: 36px;
  }
  .foreseen {
    margin-block-start: 8px;
  }
  .foreseen li {
    display: grid;
    grid-template-columns: 20px 92px minmax(0, 1fr);
    gap: 10px;
    align-items: start;
    padding-block: 8px;
    border-block-end: 1px solid var(--_line);
  }
  .foreseen li:last-child {
    border: 0;
  }
  .foreseen li > svg {
    margin-block-start: 2px;
  }
  .foreseen .status {
    margin-inline-end: 6px;
  }
  @media (width < 1480px) {
    form {
      grid-template-columns: 1fr 1fr;
    }
    form > :nth-child(3),
    form > .button {
      grid-column: 1 / -1;
    }
  }
  @media (width < 480px) {
    form {
      grid-template-columns: minmax(0, 1fr);
    }
  }
`
