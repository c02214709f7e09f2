// The preferences lie on the page, without a surface of their own.

import { css } from '@lit/reactive-element'

export const styles = css`
  :host {
    display: block;
    color: var(--_text);
  }
  .header {
    padding: 0 0 var(--_4);
    border: 0;
  }
  .header p {
    max-inline-size: 60ch;
    font-size: var(--_text-md);
    color: var(--_muted);
  }
`
