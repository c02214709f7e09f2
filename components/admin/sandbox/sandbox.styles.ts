// The list of messages beside the one that is read.

import { css } from 'lit'

export const styles = css`
  .reader {
    display: grid;
    grid-template-columns: minmax(0, 5fr) minmax(0, 7fr);
    gap: 32px;
    align-items: start;
  }
  .reader figure {
    position: sticky;
    inset-block-start: 24px;
  }
  .messages button {
    display: flex;
    align-items: center;
    gap: 12px;
    inline-size: 100%;
    min-block-size: 60px;
    padding: 8px 16px;
    text-align: var(--_start);
  }
  .messages svg,
  .messages time {
    flex: none;
    color: var(--_muted);
  }
  .messages li:hover {
    background: var(--_hover);
  }
  .messages .chosen {
    background: var(--_chosen);
    box-shadow: inset 2px 0 var(--_accent);
  }
  .frame-foot .link {
    display: inline-flex;
    align-items: center;
    gap: 6px;
  }
  .frame-foot {
    margin-block-start: 12px;
  }
  @media (width < 840px) {
    .reader {
      grid-template-columns: minmax(0, 1fr);
    }
    .reader figure {
      position: static;
      grid-row: 1;
    }
  }
  @media (forced-colors: active) {
    .messages .chosen {
      outline: 2px solid Highlight;
      outline-offset: -2px;
    }
  }
`
