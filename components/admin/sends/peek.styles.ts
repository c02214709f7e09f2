// The panel of one send beside the list.

import { css } from 'lit'

export const peekStyles = css`
  .peek {
    position: fixed;
    z-index: 10;
    inset-block: 24px;
    inset-inline-end: 24px;
    display: flex;
    flex-direction: column;
    inline-size: min(400px, calc(100vi - 32px));
    border-radius: 14px;
    background: var(--_raised);
    box-shadow: var(--_shadow);
  }
  .peek-body {
    flex: 1;
    display: grid;
    align-content: start;
    gap: 12px;
    padding: 14px 16px;
    overflow-y: auto;
  }
  .peek li {
    display: grid;
    grid-template-columns: 16px minmax(0, 1fr) auto;
    gap: 2px 10px;
    align-items: center;
    padding-block: 10px;
  }
  .peek li p {
    grid-column: 2 / -1;
    color: var(--_muted);
  }
  @media (width < 840px) {
    .peek {
      inset-block: auto 64px;
      inset-inline: 8px;
      inline-size: auto;
      max-block-size: 70dvb;
    }
  }
  @media (forced-colors: active) {
    .peek {
      border: 1px solid CanvasText;
    }
  }
`
