// The panel that opens from the bell.

import { css } from '@lit/reactive-element'

export const styles = css`
  .panel {
    display: flex;
    flex-direction: column;
    inline-size: var(--_panel-width, var(--notif-popup-width, 420px));
    block-size: var(--_panel-height, var(--notif-popup-height, 600px));
    margin: 0;
    padding: 0;
    border: 0;
    background: var(--_raised);
    color: var(--_text);
    border-radius: var(--_radius-l);
    box-shadow: var(--_shadow);
    overflow: clip;
    inset: var(--_top) auto var(--_bottom) var(--_left);
    max-inline-size: calc(100vi - 16px);
    max-block-size: calc(100dvb - var(--_used));
  }
  .panel:not(:popover-open) {
    display: none;
  }
  /* Only in Chromium: other browsers freeze an anchored element with fallbacks at some moment of its animation,
     pale or unseen (Firefox 153, WebKit 2.50). There the panel is just there. */
  @supports (overlay: auto) {
    .panel {
      --_away: 0 -6px;
      transition:
        opacity var(--_fast),
        translate var(--_fast) var(--_ease),
        display var(--_fast) allow-discrete,
        overlay var(--_fast) allow-discrete;
    }
    .panel:not(:popover-open) {
      opacity: 0;
      translate: var(--_away);
    }
    @starting-style {
      .panel:popover-open {
        opacity: 0;
        translate: var(--_away);
      }
    }
  }
  @supports (position-area: block-end) {
    .panel {
      margin-block: 8px;
      max-block-size: max(100% - 16px, 240px);
      position-anchor: --notif-bell;
      position-area: block-end span-inline-start;
      position-try-fallbacks:
        flip-inline,
        flip-block,
        flip-block flip-inline,
        block-end span-all,
        block-start span-all;
    }
    /* If there is no space below or above: beside the bell, else as low as needed. Chromium tries five. */
    @media (height < 552px) {
      .panel {
        position-try-fallbacks:
          block-end span-all,
          --beside,
          --beside flip-inline,
          --low,
          --low flip-block;
        overflow: auto;
      }
      .panel .list {
        min-block-size: 96px;
      }
    }
    @position-try --beside {
      position-area: inline-start span-all;
      margin: 8px;
      max-inline-size: max(100% - 16px, 260px);
    }
    @position-try --low {
      position-area: block-end span-all;
      max-block-size: max(100% - 16px, 120px);
    }
    .panel[data-at='bottom left'] {
      position-area: bottom span-right;
    }
    .panel[data-at='bottom right'] {
      position-area: bottom span-left;
    }
    .panel[data-at='bottom center'],
    .panel[data-at='center center'] {
      position-area: bottom span-all;
    }
    .panel[data-at='top left'] {
      position-area: top span-right;
    }
    .panel[data-at='top right'] {
      position-area: top span-left;
    }
    .panel[data-at='top center'] {
      position-area: top span-all;
    }
    .panel[data-at='center left'] {
      position-area: left span-all;
      margin: 8px;
    }
    .panel[data-at='center right'] {
      position-area: right span-all;
      margin: 8px;
    }
  }
  /* A launcher opens away from its corner. */
  @media (width >= 480px) {
    @supports (position-area: block-end) {
      :host([position]) .panel {
        max-block-size: max(100% - 24px, 240px);
        margin-block: 12px;
        position-area: top span-left;
      }
      :host([position='BOTTOM_LEFT']) .panel {
        position-area: top span-right;
      }
      :host([position='TOP_RIGHT']) .panel {
        position-area: bottom span-left;
      }
      :host([position='TOP_LEFT']) .panel {
        position-area: bottom span-right;
      }
    }
  }
  @media (width < 480px) {
    .panel.panel {
      inset: auto 0 0;
      position-area: none;
      margin: 0;
      inline-size: 100%;
      max-inline-size: none;
      block-size: calc(100dvb - 56px);
      max-block-size: none;
      border-end-start-radius: 0;
      border-end-end-radius: 0;
      padding-block-end: env(safe-area-inset-bottom);
      --_away: 0 24px;
      transition-duration: var(--_slow);
    }
    .panel::backdrop {
      background: oklch(0.2 0.01 265 / 0.4);
    }
  }
  @media (forced-colors: active) {
    .panel {
      border: 1px solid CanvasText;
    }
  }
`
