// The texts of buttons, reply fields, progress bars and people in a row, which load with the first item that has them.

import { plural } from './plural.ts'

const others = plural('en', { one: '# other', other: '# others' })

export const itemMessages = {
  reply: 'Reply',
  send: 'Send',
  sending: 'Sending',
  notSent: 'Not sent.',
  brokeOff: 'The connection broke off.',
  /** Before the own reply. */
  you: 'You:',
  enterSends: 'Enter sends, Esc closes',
  enterSendsLines: 'Enter sends, Shift Enter makes a line',
  /** The answer of a button, if its sender gives no words. */
  actionDone: (label: string) => `Done: ${label}`,
  progress: 'Progress',
  /** A snooze has ended. `when` is a time such as “yesterday”. */
  cameBack: (when: string) => `Snoozed ${when}`,
  andMore: plural('en', { other: 'and # more' }),
  andOthers: (name: string, n: number) => `${name} and ${others(n)}`
}
