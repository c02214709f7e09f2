// Broadcasts under way, and the form.

import { css } from 'lit'

export const styles = css`
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
  @media (width < 840px) {
    .order-head .grow {
      flex-basis: 100%;
    }
  }
`
