// The drawing of a bell, on a grid of 20 px.

/** The bell and its clapper. */
export const BELL_PATH =
  'M5 7.75a5 5 0 0 1 10 0v2.5c0 .8.24 1.56.69 2.22l.86 1.26a.8.8 0 0 1-.66 1.27H4.11a.8.8 0 0 1-.66-1.27l.86-1.26c.45-.66.69-1.43.69-2.22ZM8.2 17.1c.42.57 1.08.9 1.8.9s1.38-.33 1.8-.9'

/** With two bars: notifications are paused. */
export const PAUSED_BELL_PATH = `${BELL_PATH}M8.6 7.5v3.75M11.4 7.5v3.75`
