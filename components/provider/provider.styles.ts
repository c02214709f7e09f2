// The provider has no box of its own.

import { css } from '@lit/reactive-element'

export const styles = css`
  :host(:not([hidden])) {
    display: contents;
  }
`
