// The bell, apart from the other pictures: it is all that a page needs at first.

import { createInNamespace, SVG } from './dom.ts'

const picture = createInNamespace(SVG)

const BODY =
  'M5 7.75a5 5 0 0 1 10 0v2.5c0 .8.24 1.56.69 2.22l.86 1.26a.8.8 0 0 1-.66 1.27H4.11a.8.8 0 0 1-.66-1.27l.86-1.26c.45-.66.69-1.43.69-2.22Z'
const CLAPPER = 'M8.2 17.1c.42.57 1.08.9 1.8.9s1.38-.33 1.8-.9'

export const bellIcon = (): Element =>
  picture(
    'svg',
    { 'aria-hidden': 'true', viewBox: '0 0 20 20' },
    ...[BODY, CLAPPER].map(d => picture('path', { d }))
  )
