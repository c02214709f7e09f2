// Cards in columns, and rows with their text below their picture.

import { css, type CSSResult } from '@lit/reactive-element'

import { toCssValue, setStyles } from '../../core/css-values.ts'
import { warnInvalid } from '../../core/validate.ts'

/** Number of columns; without `column` as many as fit at 260 px each. The others apply from a width of the window on. */
export interface Grid {
  readonly column?: number
  /** Space between cards in pixels. Default: 12. */
  readonly gutter?: number
  /** Below 576 px. */
  readonly xs?: number
  /** From 576 px. */
  readonly sm?: number
  /** From 768 px. */
  readonly md?: number
  /** From 992 px. */
  readonly lg?: number
  /** From 1200 px. */
  readonly xl?: number
  /** From 1600 px. */
  readonly xxl?: number
}

/** The breakpoints of the media queries below, from narrow to wide. */
const WIDTHS = ['xs', 'sm', 'md', 'lg', 'xl', 'xxl'] as const

export const gridStyles: CSSResult = css`
  .grid,
  .vertical {
    --_tint: 0%;
  }
  .grid .items {
    --_n: var(--_column, repeat(auto-fill, minmax(min(260px, 100%), 1fr)));
    --_n-sm: var(--_sm, var(--_n));
    --_n-md: var(--_md, var(--_n-sm));
    --_n-lg: var(--_lg, var(--_n-md));
    --_n-xl: var(--_xl, var(--_n-lg));
    display: grid;
    grid-template-columns: var(--_xs, var(--_n));
    gap: var(--_gutter, var(--_3));
  }
  .grid .day {
    display: none;
  }
  .grid .block {
    display: contents;
  }
  .list.grid {
    padding: var(--_4);
  }
  :host(:not([bordered])) .list.grid {
    padding-inline: 0;
    margin-inline: 0;
  }
  .grid .item.item {
    margin: 0;
    padding: var(--_4);
    --_corner: var(--_radius-l);
    background-color: color-mix(in oklab, var(--_accent) var(--_tint), var(--_surface));
    box-shadow: inset 0 0 0 1px var(--_line);
  }
  /* Groups have no box in a grid, so the browser skips single cards outside the window. */
  .plain .item {
    content-visibility: auto;
    contain-intrinsic-block-size: auto 94px;
    overflow-clip-margin: 320px;
  }
  /* Each is a stacking context, and custom content lies above the next cards. */
  .plain .item:is(:hover, :focus-within) {
    z-index: 1;
  }
  /* Cards have edges, so there are no lines between them. */
  .grid .item::before {
    display: none;
  }
  .grid .item[data-unread] {
    --_tint: 5%;
  }
  :is(.grid, .vertical) .item {
    grid-template: auto auto 1fr / var(--_a) minmax(0, 1fr);
  }
  :is(.grid, .vertical) .avatar {
    grid-row: 1;
  }
  :is(.grid, .vertical) .title {
    margin-block: var(--_3) 2px;
  }
  /* Not stretched to the height of a taller card, which would show clipped lines. */
  :is(.grid, .vertical) :is(.title, .body) {
    grid-column: 1 / -1;
    align-self: start;
  }
  :is(.grid, .vertical) .time {
    grid-area: 1 / 2;
    justify-self: end;
    align-self: center;
  }
  :is(.grid, .vertical) [data-unread] .time {
    padding-inline-end: var(--_4);
  }
  :is(.grid, .vertical) .mark.mark {
    grid-row: 1 / 2;
    inset-block: 0;
    inset-inline: auto var(--_4);
    margin-block: auto;
  }
  :is(.grid, .vertical) ::slotted([slot^='item-']) {
    grid-area: 2 / 1 / span 2 / -1;
  }
  :is(.grid, .vertical) ::slotted([slot^='extra-']) {
    grid-column: 1 / -1;
  }
  :host([split]) .vertical .item {
    --_edge: var(--_4);
  }
  @media (width >= 576px) {
    .grid .items {
      grid-template-columns: var(--_n-sm);
    }
  }
  @media (width >= 768px) {
    .grid .items {
      grid-template-columns: var(--_n-md);
    }
  }
  @media (width >= 992px) {
    .grid .items {
      grid-template-columns: var(--_n-lg);
    }
  }
  @media (width >= 1200px) {
    .grid .items {
      grid-template-columns: var(--_n-xl);
    }
  }
  @media (width >= 1600px) {
    .grid .items {
      grid-template-columns: var(--_xxl, var(--_n-xl));
    }
  }
  @media (forced-colors: active) {
    .grid .item {
      border: 1px solid CanvasText;
    }
  }
`

/** Sets the columns of the list. */
export function setColumns(host: Element, list: HTMLElement | null, grid: Grid): void {
  const columns = (name: keyof Grid): string | undefined => {
    const count = grid[name]
    if (count === undefined || count === null) return undefined
    if (Number.isInteger(count) && count >= 1 && count <= 24) return `repeat(${count}, minmax(0, 1fr))`
    warnInvalid(host, `grid.${name}`, count, '1 to 24')
    return undefined
  }
  setStyles(list, {
    '--_column': columns('column'),
    '--_gutter': toCssValue(host, 'grid.gutter', 'gap', grid.gutter),
    ...Object.fromEntries(WIDTHS.map(name => [`--_${name}`, columns(name)]))
  })
}
