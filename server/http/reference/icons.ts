// Icons of the reference, each once as a symbol: a page uses them hundreds of times.

import { html, Html } from '../../core/html.ts'

/** Shapes on a grid of 20. */
const SHAPES = {
  check: '<path d="m4.5 10.5 3.5 3.5 7.5-8"/>',
  chevron: '<path d="m6 8 4 4 4-4"/>',
  copy: '<rect x="7" y="7" width="10" height="10" rx="2"/><path d="M13 7V5a2 2 0 0 0-2-2H5a2 2 0 0 0-2 2v6a2 2 0 0 0 2 2h2"/>',
  dark: '<path d="M16.5 12A7 7 0 0 1 8 3.5a6.75 6.75 0 1 0 8.5 8.5Z"/>',
  key: '<circle cx="7" cy="13" r="3.5"/><path d="m9.5 10.5 7-7m-3 3 2.25 2.25"/>',
  light:
    '<circle cx="10" cy="10" r="3.25"/><path d="M10 2.5V4m0 12v1.5M2.5 10H4m12 0h1.5M4.7 4.7l1 1m8.6 8.6 1 1m0-10.6-1 1m-8.6 8.6-1 1"/>',
  menu: '<path d="M3 6h14M3 10h14M3 14h14"/>',
  repeat: '<path d="M16.25 10a6.25 6.25 0 1 1-2-4.5l2 1.9m0-3.9v3.9h-3.9"/>',
  search: '<circle cx="9" cy="9" r="5.25"/><path d="m13 13 3.75 3.75"/>',
  system: '<rect x="2.75" y="3.75" width="14.5" height="12.5" rx="2"/><path d="M2.75 7.5h14.5"/>'
} as const

export type IconName = keyof typeof SHAPES

export const SYMBOLS = new Html(
  `<svg hidden>${Object.entries(SHAPES)
    .map(([name, shape]) => `<symbol id="i-${name}" viewBox="0 0 20 20">${shape}</symbol>`)
    .join('')}</svg>`
)

/** @param size - `small`: 16 px instead of 20 */
export const icon = (name: IconName, size?: 'small'): Html =>
  html`<svg class="icon${size && ' small'}" aria-hidden="true"><use href="#i-${name}" /></svg>`
