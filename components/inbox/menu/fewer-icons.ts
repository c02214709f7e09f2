// Icons of types that become quiet, in the form of view/icons.ts.

export const BELL_OFF =
  'M7.1 3.66A5 5 0 0 1 15 7.75v2.5c0 .5.1 1 .27 1.46M13.5 15H4.11a.8.8 0 0 1-.66-1.27l.86-1.26c.45-.66.69-1.43.69-2.22v-2.5q0-.74.2-1.4M8.2 17.1c.42.57 1.08.9 1.8.9s1.38-.33 1.8-.9M3 3l14 14'
export const STACK = 'M10 3.25 3 6.75l7 3.5 7-3.5ZM3 10l7 3.5 7-3.5M3 13.25l7 3.5 7-3.5'
