// Tokens of the dashboard on top of those of the kit, and the reset of a screen.

import { css } from 'lit'

import { tokens as kitTokens } from '../../core/tokens.styles.ts'
import { viewTokens } from '../../view/view-tokens.styles.ts'

const adminTokens = css`
  :host {
    --_page: light-dark(oklch(0.972 0.004 85), oklch(0.158 0.005 265));
    --_sunk: light-dark(oklch(0.982 0.002 265), oklch(0.168 0.005 265));
    --_soft: light-dark(oklch(0.955 0.003 265), oklch(0.255 0.008 265));
    --_danger: var(--notif-danger, light-dark(oklch(0.5 0.19 25), oklch(0.78 0.13 22)));
    --_on-danger: light-dark(#fff, oklch(0.2 0.05 22));
    --_success: var(--notif-success, light-dark(oklch(0.47 0.12 155), oklch(0.8 0.15 155)));
    --_warning: light-dark(oklch(0.5 0.115 62), oklch(0.82 0.125 78));
    --_warning-wash: color-mix(in oklab, var(--_warning) 9%, transparent);
    --_danger-wash: color-mix(in oklab, var(--_danger) 8%, transparent);
    --_success-wash: color-mix(in oklab, var(--_success) 10%, transparent);
    --_accent-wash: color-mix(in oklab, var(--_accent) 8%, transparent);
    --_chosen: color-mix(in oklab, var(--_text) 8%, transparent);
    --_edge: color-mix(in oklab, var(--_text) 18%, transparent);
    --_field-edge: color-mix(in oklab, var(--_control) 80%, var(--_surface));
    --_xs: 0.75rem;
    --_s: 0.8125rem;
    --_m: 0.875rem;
    --_l: 1.125rem;
    --_xl: 1.625rem;
    --_font: Inter, ui-sans-serif, system-ui, 'Noto Sans Arabic', sans-serif;
    --_mono: ui-monospace, 'SF Mono', 'JetBrains Mono', 'Cascadia Code', Menlo, Consolas, monospace;
    --_control-size: 32px;
    --_row: 40px;
    --_page-pad: 32px;
    --_gap: 24px;
    --_start: left;
    --_end: right;
  }
  :host(:dir(rtl)) {
    --_start: right;
    --_end: left;
  }
  @media (pointer: coarse) {
    :host {
      --_control-size: 44px;
      --_row: 52px;
    }
  }
  @media (width < 840px) {
    :host {
      --_page-pad: 16px;
    }
  }
  @media (prefers-contrast: more) {
    :host {
      --_soft: transparent;
    }
  }
`

const reset = css`
  :host {
    display: block;
    color: var(--_text);
    font: 400 var(--_s) / 20px var(--_font);
    font-variant-numeric: tabular-nums;
    letter-spacing: normal;
    text-align: var(--_start);
    text-transform: none;
    white-space: normal;
    overflow-wrap: break-word;
    -webkit-font-smoothing: antialiased;
    -webkit-tap-highlight-color: transparent;
  }
  /* Each text has its own direction, whatever that of the page: our words are English, names and titles are anything. What follows the
     direction of a text, such as \`text-align: start\`, would go to the other side, so sides of the page are named: --_start, --_end. */
  :where(*) {
    unicode-bidi: plaintext;
  }
  :where(h1, h2, h3, h4, p, ul, ol, dl, dd, figure, fieldset, legend, pre) {
    margin: 0;
    padding: 0;
    border: 0;
    font: inherit;
    min-inline-size: 0;
  }
  :where(ul, ol) {
    list-style: none;
  }
  :where(input, select, textarea) {
    margin: 0;
    padding: 0;
    border: 0;
    background: none;
    font: inherit;
    color: inherit;
    letter-spacing: inherit;
    text-align: var(--_start);
  }
  :where(button, select, summary, label:has(input)) {
    cursor: pointer;
  }
  :where(a) {
    color: inherit;
    text-decoration: none;
  }
  :where(b, strong, th) {
    font-weight: 600;
  }
  :focus-visible {
    border-radius: 4px;
  }
  .small {
    inline-size: 16px;
    block-size: 16px;
    stroke-width: 1.75;
  }
  .mirror:dir(rtl) {
    scale: -1 1;
  }
  /* Names and codes keep their direction in a right-to-left page. */
  :where(pre, code, .code) {
    text-align: left;
  }
  ::placeholder {
    unicode-bidi: plaintext;
  }
  /* The words of the feed are English, like ours. */
  notif-feed::part(empty-state) {
    direction: ltr;
  }
  .mono {
    font-family: var(--_mono);
    font-size: 0.93em;
    font-variant-ligatures: none;
    direction: ltr;
    unicode-bidi: isolate;
  }
  .muted {
    color: var(--_muted);
  }
  .danger {
    color: var(--_danger);
  }
  .warning {
    color: var(--_warning);
  }
  .number {
    text-align: var(--_end);
  }
  .nowrap {
    white-space: nowrap;
  }
  .clip {
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
    min-inline-size: 0;
  }
  .grow {
    flex: 1;
    min-inline-size: 0;
  }
  .block {
    display: block;
  }
`

/** Of every element of the dashboard. */
export const tokens = [kitTokens, viewTokens, adminTokens, reset]
