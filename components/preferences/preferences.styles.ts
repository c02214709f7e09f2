// Styles of both preferences elements, and of the one that is a part of a page.

import { css } from '@lit/reactive-element'

import { reset, tokens } from '../core/tokens.styles.ts'
import { controls } from '../view/controls.styles.ts'
import { frame } from '../view/frame.styles.ts'
import { states } from '../view/states.styles.ts'
import { viewTokens } from '../view/view-tokens.styles.ts'
import { matrix } from './matrix.styles.ts'
import { settings } from './settings.styles.ts'
import { switches } from './switch.styles.ts'

/** In the order of the cascade. */
export const preferenceStyles = [
  reset,
  tokens,
  viewTokens,
  controls,
  frame,
  states,
  matrix,
  switches,
  settings
]

/** On the page, without a background. */
export const styles = css`
  :host {
    display: block;
    color: var(--_text);
  }
  .header {
    padding: 0 0 var(--_4);
    border: 0;
  }
  /* No icon is at its end, but a button with an edge. */
  .headline {
    margin-inline-end: 0;
  }
  .header p {
    max-inline-size: 60ch;
    font-size: var(--_text-md);
    color: var(--_muted);
  }
`
