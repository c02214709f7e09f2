// What a feed can be told beyond what a popup knows; the code behind it comes when one of them is used.

export type { RowKey } from './extras/list-store.ts'

/** Columns of cards; without `column` as many as fit at 260 px each. The rest are columns from a window width on. */
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

/** CSS properties by part: `{ title: { color: 'teal', fontSize: 15 } }`. Numbers are pixels where a length is wanted. */
export type PartStyles = Readonly<Record<string, Readonly<Record<string, string | number>>>>
