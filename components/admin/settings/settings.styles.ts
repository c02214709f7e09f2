// Sections beside their list, lines of settings, and a secret that is shown once.

import { css } from 'lit'

export const styles = css`
  .layout {
    display: grid;
    grid-template-columns: 168px minmax(0, 1fr);
    gap: 40px;
    align-items: start;
  }
  .sections {
    position: sticky;
    inset-block-start: 16px;
    display: grid;
    gap: 2px;
  }
  .sections button {
    display: flex;
    align-items: center;
    min-block-size: var(--_control-size);
    padding-inline: 10px;
    border-radius: 8px;
    font-weight: 500;
    color: var(--_muted);
    text-align: var(--_start);
  }
  .sections button:hover {
    background: var(--_hover);
  }
  .sections [aria-current] {
    background: var(--_chosen);
    color: var(--_text);
  }
  .section {
    scroll-margin-block-start: 16px;
  }
  .section:first-child {
    margin-block-start: 0;
  }
  .section-head {
    min-block-size: 36px;
  }
  .lines li {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 8px 12px;
    min-block-size: 60px;
    padding: 8px 16px;
  }
  .lines svg {
    flex: none;
    color: var(--_muted);
  }
  .lines .switch {
    font-weight: 400;
  }
  .lines b,
  th b {
    font-weight: 550;
  }
  .secret {
    margin-block-end: 12px;
  }
  .secret-value {
    display: flex;
    grid-column: 2 / -1;
    align-items: center;
    justify-content: space-between;
    gap: 12px;
    padding: 8px 8px 8px 14px;
    border-radius: 10px;
    background: var(--_surface);
    box-shadow: inset 0 0 0 1px var(--_line);
  }
  .secret-value code {
    overflow-wrap: anywhere;
    min-inline-size: 0;
  }
  .stacked > * + * {
    margin-block-start: 12px;
  }
  .with-icon {
    display: inline-flex;
    align-items: center;
    gap: 8px;
  }
  .table {
    --_row: 52px;
  }
  .gone b {
    text-decoration: line-through;
    font-weight: 400;
  }
  .check-result {
    display: block;
    padding-block: 4px;
  }
  .what {
    overflow-wrap: anywhere;
  }
  .group summary {
    list-style: none;
    cursor: pointer;
  }
  .group:not([open]) summary {
    border-block-end-color: transparent;
  }
  .group td {
    overflow-wrap: anywhere;
  }
  .group .chip {
    font-family: var(--_font);
  }
  @media (width < 1100px) {
    .layout {
      grid-template-columns: minmax(0, 1fr);
      gap: 20px;
    }
    .sections {
      position: static;
      display: flex;
      overflow-x: auto;
      scrollbar-width: none;
    }
    .sections button {
      flex: none;
    }
  }
  @media (forced-colors: active) {
    .sections [aria-current] {
      forced-color-adjust: none;
      background: Highlight;
      color: HighlightText;
    }
  }
`
