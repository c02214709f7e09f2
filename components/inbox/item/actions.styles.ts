// The buttons of a row that appear below the pointer or with the focus.

import { css } from '@lit/reactive-element'

export const actions = css`
  /* On the first line, in the place of the time. The end of the title fades below them. */
  .actions {
    position: absolute;
    z-index: 1;
    inset-block-start: calc(var(--_pad, var(--_3)) - 4px);
    inset-inline-end: calc(var(--_4) - 5px);
    display: flex;
    padding-inline-start: 28px;
    background:
      linear-gradient(var(--_wash), var(--_wash)), linear-gradient(var(--_tint), var(--_tint)),
      var(--_base, var(--_raised));
    mask: linear-gradient(var(--_to, to right), transparent, #000 24px);
    opacity: 0;
    pointer-events: none;
    transition: opacity var(--_fast) linear;
  }
  .actions:dir(rtl) {
    --_to: to left;
  }
  .actions .icon {
    --_touch: 28px;
    border-radius: var(--_radius-s);
  }
  .actions svg {
    inline-size: 18px;
    block-size: 18px;
    stroke-width: 1.6;
  }
  .item .time {
    transition: opacity var(--_fast) linear;
  }
  /* A focus that a pointer brought shows nothing. */
  .item:is(:hover, :focus-visible, :has(:focus-visible), :has(> .actions [aria-expanded='true'])) > .actions {
    opacity: 1;
    pointer-events: auto;
  }
  .item:has(> .actions):is(
      :hover,
      :focus-visible,
      :has(:focus-visible),
      :has(> .actions [aria-expanded='true'])
    )
    .time {
    opacity: 0;
  }
  @media (forced-colors: active) {
    .actions {
      background: Canvas;
      mask: none;
      padding-inline-start: 8px;
    }
  }
`
