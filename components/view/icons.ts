// Icons: 20 px grid, 1.5 px stroke, in the colour of the text. Inline, because a strict content security policy blocks `url()`.

import { html, type TemplateResult } from 'lit/html.js'

import { BELL_PATH } from '../core/bell-path.ts'

export const CHECK = 'm4.5 10.6 3.65 3.65L15.5 6'
export const CHECK_ALL = 'm2 10.6 3.4 3.65L12.5 6M9.3 13.3l.9.95L17.9 6'
export const ALERT =
  'M9.13 3.75a1 1 0 0 1 1.74 0l6.2 10.9a1 1 0 0 1-.87 1.5H3.8a1 1 0 0 1-.87-1.5ZM10 7.9v3.2M10 13.5h.01'
export const ARCHIVE =
  'M4 3.75h12c.7 0 1.25.56 1.25 1.25v1.5c0 .7-.56 1.25-1.25 1.25H4c-.7 0-1.25-.56-1.25-1.25V5c0-.7.56-1.25 1.25-1.25ZM4.25 7.75v6.5a2 2 0 0 0 2 2h7.5a2 2 0 0 0 2-2v-6.5M8.25 11.25h3.5'
export const UNARCHIVE =
  'M2.75 11.25h3.6c.3 0 .57.17.7.43l.63 1.14c.13.27.4.43.7.43h3.24c.3 0 .57-.16.7-.43l.63-1.14a.8.8 0 0 1 .7-.43h3.6M5 4.86l-2.25 6.39v3a2 2 0 0 0 2 2h10.5a2 2 0 0 0 2-2v-3L15 4.86a1.65 1.65 0 0 0-1.56-1.11H6.56C5.86 3.75 5.23 4.2 5 4.86Z'
export const BROWSER =
  'M4.75 3.75h10.5a2 2 0 0 1 2 2v8.5a2 2 0 0 1-2 2H4.75a2 2 0 0 1-2-2v-8.5a2 2 0 0 1 2-2ZM2.75 7.5h14.5M5.3 5.65h.01M7.5 5.65h.01'
export const MAIL =
  'M4.75 4.25h10.5a2 2 0 0 1 2 2v7.5a2 2 0 0 1-2 2H4.75a2 2 0 0 1-2-2v-7.5a2 2 0 0 1 2-2ZM3.25 6l5.8 4.35a1.6 1.6 0 0 0 1.9 0L16.75 6'
export const SETTINGS =
  'M2.75 6h7.5M15.25 6h2M2.75 14h2M9.75 14h7.5M10.5 6a2.25 2.25 0 1 0 4.5 0 2.25 2.25 0 1 0-4.5 0M5 14a2.25 2.25 0 1 0 4.5 0 2.25 2.25 0 1 0-4.5 0'
export const CLOCK = 'M3 10a7 7 0 1 0 14 0 7 7 0 1 0-14 0M10 6.25V10l2.6 1.6'
export const FEWER = `${BELL_PATH}M7.9 9.25h4.2`
export const MORE = 'M4.75 10h.01M10 10h.01M15.25 10h.01'
export const EXTERNAL =
  'M11.75 3.75h4.5v4.5M15.75 4.25 9.5 10.5M8.5 4.75H6a2.25 2.25 0 0 0-2.25 2.25v7A2.25 2.25 0 0 0 6 16.25h7A2.25 2.25 0 0 0 15.25 14v-2.5'
export const PREVIOUS = 'M12 5.75 7.75 10 12 14.25'
export const NEXT = 'M8 5.75 12.25 10 8 14.25'
export const UP = 'M10 15.5v-11M5.5 9 10 4.5 14.5 9'
export const CLOSE = 'm5 5 10 10M15 5 5 15'
export const RETRY = 'M16.25 10A6.25 6.25 0 1 1 14.3 5.47l1.95 1.9M16.25 3.5v3.87h-3.9'
export const OFFLINE =
  'M2.25 7.9a10.7 10.7 0 0 1 3-2.05M9 4.57a10.9 10.9 0 0 1 8.75 3.33M5 10.9a6.9 6.9 0 0 1 2.7-1.6M11.9 9.15c1.16.34 2.22.94 3.1 1.75M8 13.75a3.1 3.1 0 0 1 4 0M3 3l14 14M9.5 16.25h1'

/** @param className - `small`, `mirror` (mirrored from right to left) or both */
export const icon = (path: string, className = ''): TemplateResult =>
  html`<svg class=${className} viewBox="0 0 20 20" aria-hidden="true"><path d=${path} /></svg>`
