// The side as a rail below 1100 px, bars of a phone below 840 px.

import { css } from 'lit'

export const narrow = css`
  @media (840px <= width < 1100px) {
    .app {
      grid-template-columns: 64px minmax(0, 1fr);
    }
    .side {
      padding-inline: 10px;
      align-items: center;
    }
    .side :is(.environment, .me) {
      grid-template-columns: 28px;
      inline-size: 44px;
    }
    .side :is(.environment, .me) :is(b, span:not(.initials), svg:last-child),
    .find :is(span, kbd),
    .group .name,
    .foot-row,
    .group .tally:not(.bad),
    .tally span:not(.sr) {
      display: none;
    }
    .find {
      inline-size: 44px;
      justify-content: center;
      padding: 0;
    }
    .group a {
      position: relative;
      inline-size: 44px;
      min-block-size: 40px;
      justify-content: center;
      padding: 0;
    }
    .tally {
      position: absolute;
      inset-block-start: 0;
      inset-inline-end: 0;
    }
  }
  @media (width < 840px) {
    .app {
      display: block;
      padding-block-end: calc(60px + env(safe-area-inset-bottom));
    }
    .side {
      display: none;
    }
    .top {
      position: sticky;
      z-index: 20;
      inset-block-start: 0;
      display: flex;
      align-items: center;
      gap: 4px;
      min-block-size: 56px;
      padding-inline: 8px;
      background: color-mix(in oklab, var(--_page) 90%, transparent);
      backdrop-filter: blur(12px);
    }
    .top .environment {
      flex: 1;
      grid-template-columns: 28px auto 16px;
      justify-content: start;
    }
    .top .icon-button {
      inline-size: 44px;
      block-size: 44px;
    }
    .tab-bar {
      position: fixed;
      z-index: 20;
      inset: auto 0 0;
      display: grid;
      grid-auto-flow: column;
      grid-auto-columns: 1fr;
      padding: 4px 4px env(safe-area-inset-bottom);
      background: var(--_raised);
      border-block-start: 1px solid var(--_line);
    }
    .tab-bar > * {
      position: relative;
      display: grid;
      justify-items: center;
      align-content: center;
      gap: 2px;
      min-block-size: 52px;
      border-radius: 10px;
      font-size: 11px;
      line-height: 14px;
      font-weight: 500;
      color: var(--_muted);
    }
    .tab-bar a[aria-current] {
      color: var(--_text);
      font-weight: 650;
    }
    .mark-number {
      position: absolute;
      inset-block-start: 4px;
      inset-inline-start: calc(50% + 5px);
      min-inline-size: 16px;
      padding-inline: 4px;
      border-radius: 8px;
      background: var(--_danger);
      color: var(--_on-danger);
      font-size: 10px;
      line-height: 16px;
      font-weight: 650;
      text-align: center;
    }
    .sheet {
      margin: 0;
      border-radius: 16px 16px 0 0;
      padding-block-end: 32px;
    }
  }
`
