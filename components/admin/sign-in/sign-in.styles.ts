// A card in the middle of the page.

import { css } from 'lit'

export const styles = css`
  .door {
    min-block-size: 100dvb;
    display: grid;
    grid-template-rows: 1fr auto auto 1.3fr;
    justify-items: center;
    padding: 24px 16px;
    background: var(--_page);
  }
  .door-card {
    grid-row: 2;
    display: grid;
    gap: 18px;
    inline-size: min(400px, 100%);
    padding: 32px;
    border-radius: 20px;
    background: var(--_surface);
    box-shadow:
      0 0 0 1px var(--_line),
      0 24px 48px -28px light-dark(oklch(0.2 0.02 265 / 0.28), oklch(0 0 0 / 0.8));
  }
  h1 {
    font-size: 1.375rem;
    line-height: 28px;
    font-weight: 650;
    letter-spacing: -0.02em;
  }
  .mark {
    inline-size: 44px;
    block-size: 44px;
    stroke: none;
  }
  .mark rect {
    fill: var(--_text);
  }
  .mark path {
    stroke: var(--_surface);
    stroke-width: 1.6;
  }
  .mark circle {
    fill: var(--_accent);
    stroke: var(--_text);
    stroke-width: 1.6;
  }
  .form {
    gap: 10px;
  }
  .input,
  .button {
    inline-size: 100%;
    min-block-size: 44px;
    border-radius: 10px;
    font-size: var(--_m);
  }
  .or {
    display: flex;
    align-items: center;
    gap: 12px;
    color: var(--_muted);
    font-size: var(--_xs);
  }
  .or::before,
  .or::after {
    content: '';
    flex: 1;
    border-block-start: 1px solid var(--_line);
  }
  .door-foot {
    grid-row: 3;
    padding-block-start: 20px;
    color: var(--_muted);
    font-size: var(--_xs);
    text-align: center;
  }
  @media (width < 480px) {
    .door-card {
      padding: 24px;
    }
  }
  @media (forced-colors: active) {
    .door-card {
      border: 1px solid CanvasText;
    }
  }
`
