// Settings and versions of a type, and what somebody else saved.

import { css } from 'lit'

export const styles = css`
  .tabs {
    margin-block-start: 12px;
  }
  .two {
    display: grid;
    grid-template-columns: minmax(0, 1.1fr) minmax(0, 1fr);
    gap: 20px;
    align-items: start;
  }
  .with-icon {
    display: inline-flex;
    align-items: center;
    gap: 8px;
  }
  .table .input {
    min-block-size: var(--_control-size);
    padding-block: 4px;
    font-size: var(--_s);
  }
  .settings li,
  .versions li {
    display: flex;
    align-items: center;
    gap: 10px;
    min-block-size: 56px;
    padding: 8px 16px;
  }
  .settings .switch {
    flex: 1;
    font-weight: 400;
  }
  .settings b {
    font-weight: 550;
  }
  .versions li {
    flex-wrap: wrap;
  }
  .versions [aria-current] {
    background: var(--_chosen);
  }
  .version-number {
    flex: none;
    inline-size: 32px;
    font-size: var(--_m);
    align-self: start;
  }
  .versions .grow .muted {
    padding-inline-start: 30px;
  }
  .stale {
    margin-block-start: 16px;
    border-color: color-mix(in oklab, var(--_warning) 40%, transparent);
  }
  .stale .card-head {
    background: var(--_warning-wash);
  }
  .stale .card-head svg {
    color: var(--_warning);
  }
  .stale .card-foot {
    justify-content: end;
  }
  @media (width < 840px) {
    .two {
      grid-template-columns: minmax(0, 1fr);
    }
  }
  @media (forced-colors: active) {
    .versions [aria-current] {
      border-inline-start: 4px solid Highlight;
    }
  }
`
