// The filter field and its suggestions.

import { css } from 'lit'

export const queryStyles = css`
  .query {
    position: relative;
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 6px;
    min-block-size: max(40px, var(--_control-size));
    padding: 5px 6px 5px 12px;
    border-radius: 10px;
    background: var(--_surface);
    box-shadow: inset 0 0 0 1px var(--_field-edge);
  }
  .query:focus-within {
    box-shadow: inset 0 0 0 2px var(--_accent);
  }
  .query.wrong {
    box-shadow: inset 0 0 0 2px var(--_danger);
  }
  .query > svg {
    color: var(--_muted);
  }
  .query input {
    flex: 1;
    min-inline-size: 140px;
    min-block-size: 28px;
    font-size: var(--_m);
  }
  .query input:focus {
    outline: none;
  }
  .query input::placeholder {
    color: var(--_muted);
    opacity: 1;
  }
  .token {
    display: inline-flex;
    align-items: center;
    min-block-size: 28px;
    max-inline-size: 100%;
    border-radius: 7px;
    background: var(--_soft);
    overflow: clip;
  }
  .token > span {
    padding-inline: 8px 4px;
    color: var(--_muted);
  }
  .token > b {
    padding-inline-end: 4px;
    font-weight: 550;
  }
  .token > button {
    display: grid;
    place-items: center;
    inline-size: 24px;
    block-size: 28px;
    color: var(--_muted);
  }
  .token > button:hover {
    background: var(--_hover);
    color: var(--_text);
  }
  .suggestions {
    position: absolute;
    z-index: 5;
    inset-block-start: calc(100% + 6px);
    inset-inline-start: 0;
    inline-size: min(440px, 100%);
    max-block-size: 50dvb;
    padding: 6px;
    border-radius: 12px;
    background: var(--_raised);
    box-shadow: var(--_shadow);
    overflow-y: auto;
  }
  .suggestions p {
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
    min-block-size: max(34px, var(--_control-size));
    padding-inline: 10px;
    border-radius: 8px;
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
  @media (width < 840px) {
    .query kbd {
      display: none;
    }
  }
  @media (forced-colors: active) {
    .query,
    .token,
    .suggestions {
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
