// The studio of a type: templates, editor and preview beside each other.

import { css } from 'lit'

export const studioStyles = css`
  .studio {
    display: grid;
    grid-template-columns: 196px minmax(0, 1.25fr) minmax(320px, 1fr);
    margin-block-start: 20px;
    border: 1px solid var(--_line);
    border-radius: 12px;
    overflow: clip;
  }
  .studio > * {
    min-inline-size: 0;
    border-inline-start: 1px solid var(--_line);
  }
  .studio > :first-child {
    border: 0;
  }
  .variants {
    padding: 8px;
  }
  .variants p {
    padding: 10px 8px 4px;
    font-size: var(--_xs);
    font-weight: 500;
    color: var(--_muted);
  }
  .variant {
    display: flex;
    align-items: center;
    gap: 8px;
    inline-size: 100%;
    min-block-size: var(--_control-size);
    padding-inline: 8px;
    border-radius: 8px;
    font-weight: 500;
    text-align: var(--_start);
  }
  .variant:hover {
    background: var(--_hover);
  }
  .variant[aria-current] {
    background: var(--_chosen);
  }
  .variant > svg {
    color: var(--_muted);
  }
  .below {
    padding-inline-start: 32px;
    font-weight: 400;
    color: var(--_muted);
  }
  .below[aria-current] {
    color: var(--_text);
    font-weight: 550;
  }
  .below.add {
    padding-inline-start: 10px;
  }
  .middle {
    display: flex;
    flex-direction: column;
  }
  .pane-head {
    display: flex;
    align-items: center;
    gap: 10px;
    min-block-size: 48px;
    padding: 6px 14px;
    border-block-end: 1px solid var(--_line);
  }
  .pane-head :is(h2, h3) {
    font-size: var(--_m);
    font-weight: 650;
  }
  .pane-head .end {
    display: flex;
    align-items: center;
    gap: 8px;
    white-space: nowrap;
  }
  .pane-head.sub {
    border-block-start: 1px solid var(--_line);
  }
  .line {
    display: grid;
    grid-template-columns: 92px minmax(0, 1fr);
    align-items: center;
    min-block-size: 40px;
    padding-inline: 14px;
    border-block-end: 1px solid var(--_line);
  }
  .line input:not([type='radio']) {
    min-block-size: 39px;
    inline-size: 100%;
  }
  .line input:focus-visible {
    outline: none;
  }
  .line:has(input:not([type='radio']):focus-visible) {
    outline: 2px solid var(--_focus);
    outline-offset: -2px;
  }
  .line:has([aria-invalid='true']) {
    background: var(--_danger-wash);
  }
  .line.choice {
    display: flex;
  }
  notif-admin-editor {
    display: block;
    flex: 1;
    background: var(--_sunk);
  }
  .fault {
    display: flex;
    gap: 8px;
    padding: 9px 14px;
    background: var(--_danger-wash);
    color: var(--_danger);
    font-weight: 500;
  }
  .fault svg {
    flex: none;
    margin-block-start: 2px;
  }
  .variables {
    display: grid;
    grid-template-columns: repeat(auto-fill, minmax(min(100%, 200px), 1fr));
    gap: 4px 16px;
    padding: 10px 14px 14px;
  }
  .variables li {
    display: flex;
    align-items: center;
    gap: 8px;
    min-inline-size: 0;
    min-block-size: 28px;
  }
  .variables .chip:hover {
    background: var(--_chosen);
  }
  .pane {
    background: var(--_sunk);
  }
  .pane .pane-head {
    background: var(--_surface);
  }
  .data-of {
    display: flex;
    align-items: center;
    gap: 10px;
    padding: 8px 14px;
    background: var(--_surface);
    border-block-end: 1px solid var(--_line);
  }
  .data-of .pick {
    flex: 1;
  }
  .none {
    padding: 24px 14px;
  }
  .previews {
    display: grid;
    grid-template-columns: repeat(auto-fit, minmax(min(100%, 260px), 1fr));
    gap: 20px 14px;
    align-items: start;
    max-block-size: 900px;
    padding: 14px;
    overflow-y: auto;
  }
  .phone-width .previews {
    grid-template-columns: minmax(0, 340px);
    justify-content: center;
  }
  .previews figcaption .muted {
    font-weight: 400;
  }
  .previews .phone {
    border-radius: 30px;
  }
  .inbox {
    padding-inline: 16px;
    border: 1px solid var(--_line);
    border-radius: 10px;
    background: var(--_raised);
  }
  .measures {
    display: flex;
    flex-wrap: wrap;
    gap: 2px 12px;
    padding-block-start: 6px;
    font-size: var(--_xs);
    line-height: 16px;
    color: var(--_muted);
  }
  .measures .warning {
    display: inline-flex;
    gap: 4px;
    color: var(--_warning);
  }
  @media (width < 1340px) {
    .studio {
      grid-template-columns: 176px minmax(0, 1fr);
    }
    .pane {
      grid-column: 1 / -1;
      border: 0;
      border-block-start: 1px solid var(--_line);
    }
  }
  @media (width < 840px) {
    .studio {
      grid-template-columns: minmax(0, 1fr);
    }
    .studio > * {
      border: 0;
      border-block-start: 1px solid var(--_line);
    }
    .variants {
      display: flex;
      overflow-x: auto;
      scrollbar-width: none;
    }
    .variants p {
      display: none;
    }
    .variant {
      flex: none;
      inline-size: auto;
    }
    .below {
      padding-inline: 8px;
    }
  }
  @media (forced-colors: active) {
    .studio,
    .inbox {
      border: 1px solid CanvasText;
    }
    .variant[aria-current] {
      forced-color-adjust: none;
      background: Highlight;
      color: HighlightText;
    }
  }
`
