// The prompt for web push.

import { css } from '@lit/reactive-element'

export const pushPrompt = css`
  .push-prompt {
    display: grid;
    grid-template-columns: 40px 1fr;
    column-gap: var(--_3);
    margin-block-end: var(--_2);
    padding: var(--_4);
    border-radius: var(--_radius-m);
    /* Visible in forced colors, and takes no space, so that the texts align with those of the rows. */
    outline: 1px solid var(--_line);
    outline-offset: -1px;
  }
  .push-prompt-icon {
    grid-row: span 2;
    display: grid;
    place-items: center;
    block-size: 40px;
    border-radius: 50%;
    background: color-mix(in oklab, var(--_accent) 12%, transparent);
    color: var(--_accent);
  }
  .push-prompt h3 {
    font-size: var(--_text-md);
    font-weight: 650;
  }
  .push-prompt p {
    font-size: var(--_text-md);
    color: var(--_muted);
    text-wrap: pretty;
  }
  .push-prompt-row {
    grid-column: 2;
    display: flex;
    flex-wrap: wrap;
    gap: var(--_2);
    margin-block-start: var(--_3);
  }
  .push-prompt .btn {
    box-shadow: none;
  }
  .push-prompt .main {
    background: var(--_accent);
    color: var(--_on-accent);
  }
  /* The tokens are system colors already. A browser would paint text on a plate of its own. */
  @media (forced-colors: active) {
    .push-prompt .main {
      forced-color-adjust: none;
    }
  }
`
