// A list of results under a field, in a dialog.

import { css } from 'lit'

export const paletteStyles = css`
  dialog {
    inline-size: min(640px, calc(100vi - 24px));
    max-block-size: min(480px, 80dvb);
    margin-block-start: 12dvb;
    padding: 0;
    border: 0;
    border-radius: var(--_radius-l);
    background: var(--_raised);
    color: var(--_text);
    box-shadow: var(--_shadow);
    overflow: clip;
  }
  dialog[open] {
    display: flex;
    flex-direction: column;
  }
  dialog::backdrop {
    background: oklch(0.2 0.01 265 / 0.4);
  }
  .typed {
    display: flex;
    align-items: center;
    gap: 10px;
    min-block-size: 56px;
    padding: 0 16px;
    border-block-end: 1px solid var(--_line);
  }
  .typed svg {
    color: var(--_muted);
  }
  .typed input {
    flex: 1;
    min-inline-size: 0;
    min-block-size: 54px;
    font-size: 1rem;
  }
  .typed input:focus {
    outline: none;
  }
  .typed input::placeholder {
    color: var(--_muted);
    opacity: 1;
  }
  .results {
    overflow-y: auto;
    padding: 6px;
  }
  h3 {
    padding: 6px 10px 4px;
    font-size: var(--_xs);
    line-height: 16px;
    font-weight: 500;
    color: var(--_muted);
  }
  .option {
    display: flex;
    align-items: center;
    gap: 10px;
    min-block-size: 40px;
    padding-inline: 10px;
    border-radius: 8px;
    font-size: var(--_m);
    cursor: pointer;
  }
  .option[aria-selected='true'] {
    background: var(--_chosen);
  }
  .option svg {
    color: var(--_muted);
  }
  .option .hint {
    margin-inline-start: auto;
    color: var(--_muted);
    font-size: var(--_xs);
  }
  .option .mono {
    font-size: var(--_xs);
  }
  mark {
    background: none;
    color: inherit;
    font-weight: 650;
  }
  .foot {
    display: flex;
    flex-wrap: wrap;
    gap: 4px 16px;
    padding: 9px 16px;
    border-block-start: 1px solid var(--_line);
    color: var(--_muted);
    font-size: var(--_xs);
  }
  .foot span {
    display: inline-flex;
    align-items: center;
    gap: 6px;
  }
  .nothing {
    padding: 24px;
    text-align: center;
    color: var(--_muted);
  }
  .keys {
    display: grid;
    grid-template-columns: repeat(auto-fill, minmax(240px, 1fr));
    gap: 2px 24px;
    padding: 12px 20px 20px;
    overflow-y: auto;
  }
  .keys div {
    display: flex;
    align-items: center;
    justify-content: space-between;
    min-block-size: 32px;
  }
  .keys dd {
    display: flex;
    gap: 4px;
  }
  .keys-head {
    display: flex;
    align-items: center;
    padding: 16px 12px 8px 20px;
  }
  h2 {
    flex: 1;
    font-size: var(--_l);
    line-height: 24px;
    font-weight: 650;
  }
  .why {
    padding: 0 20px 16px;
    color: var(--_muted);
  }
  @media (pointer: coarse) {
    .foot span:not(:last-child) {
      display: none;
    }
  }
  @media (forced-colors: active) {
    dialog {
      border: 1px solid CanvasText;
    }
    .option[aria-selected='true'] {
      forced-color-adjust: none;
      background: Highlight;
      color: HighlightText;
    }
    .option[aria-selected='true'] :is(svg, .hint) {
      color: inherit;
    }
  }
`
