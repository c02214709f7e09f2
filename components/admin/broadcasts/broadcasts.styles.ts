// The form of a broadcast, and whom it reaches.

import { css } from 'lit'

export const styles = css`
  .columns {
    margin-block-start: 20px;
  }
  .pair {
    display: grid;
    grid-template-columns: repeat(auto-fit, minmax(220px, 1fr));
    gap: 16px;
  }
  fieldset {
    margin: 0;
    padding: 0;
    border: 0;
  }
  fieldset .segments {
    justify-self: start;
  }
  .figure {
    font-size: var(--_xl, 24px);
    font-weight: 600;
  }
  .figure small {
    font-size: var(--_m);
    font-weight: 400;
    color: var(--_muted);
  }
  .seen {
    display: grid;
    gap: 8px;
  }
`
