// The texts of dead letters.

import { channelWord, plural } from '../words.ts'

/** The address does not exist, or nothing can reach it. */
const isHopeless = (code: string): boolean =>
  /^(?:550|551|553|5\.1\.[1-6]|BadDeviceToken|Unregistered|NO_ADDRESS|no-address|21211|21614)/.test(code)

/** Plain names of codes that providers give. */
const CAUSES: readonly (readonly [RegExp, string])[] = [
  [/^(?:550|5\.1\.1|551)/, 'The address does not exist'],
  [/^(?:552|5\.2\.2|4\.2\.2)/, 'The mailbox is full'],
  [/^(?:554|5\.7)/, 'The mail server refused the message'],
  [/^(?:EAUTH|530|535)/, 'The mail server refused our password'],
  [/^(?:ECONN|ETIMEDOUT|ESOCKET|EDNS|ENOTFOUND)/, 'The provider did not answer'],
  [/^no-address$|^NO_ADDRESS$/, 'The user has no address any more'],
  [/^(?:Unregistered|UNREGISTERED|BadDeviceToken)/, 'The device is no longer registered'],
  [/^TopicDisallowed/, 'Apple does not know our app under this name'],
  [/^SENDER_ID_MISMATCH/, 'Firebase does not know our app for this device'],
  [/^(?:401|403)/, 'The provider refused our credentials'],
  [/^404/, 'The provider does not know the recipient'],
  [/^429/, 'The provider had too many requests'],
  [/^5\d\d$/, 'The provider had an error']
]

export const deadLetterWords = {
  adviceOf: (code: string) => {
    if (isHopeless(code)) return 'Sending again will not help until the address is corrected.'
    if (/^(?:EAUTH|535|530)/.test(code)) return 'Correct the credentials of the provider, then send again.'
    return /^(?:4|ETIMEDOUT|ECONN|5\d\d$)/.test(code) ? 'Sending again may work.' : ''
  },
  cause: 'Cause',
  choose: (user: string) => `Choose the letter to ${user}`,
  chooseAll: 'Choose all that are shown',
  columns: [
    ['User', false],
    ['Type', false],
    ['To', false],
    ['Tries', true],
    ['Died', true],
    ['Tracking id', true]
  ] as const,
  drop: (count: string) => `Discard ${count}…`,
  dropConfirm: (count: string) => `Discard ${count}`,
  dropTitle: (count: string, all: string) =>
    `Discard ${count === all ? `${count} dead letters` : `${count} of ${all} dead letters`}?`,
  dropWhy: 'They are not sent. The log of their tries stays. Undo is possible for a day.',
  first: 'First one',
  hopeless:
    'This code means that the address does not exist. Writing to it again will fail, and the mail server may count that against you.',
  intro: 'What ran out of tries or was refused for good. Mend the cause, then send again, or discard.',
  isDropped: (count: number) => `${plural(count, 'dead letter')} discarded`,
  isDropping: 'Dead letters are being discarded',
  isHopeless,
  isRedriven: (count: number) => `${plural(count, 'dead letter')} sent again`,
  last: 'Last one',
  letters: 'letters',
  lettersHead: 'Letters',
  more: 'Show more',
  nameOf: (channel: string, code: string) =>
    CAUSES.find(([pattern]) => pattern.test(code))?.[1] ?? `${channelWord(channel)}: the provider refused`,
  none: 'No dead letters',
  noneWhy: 'Everything that was sent has arrived, waits, or was meant not to go out.',
  orders: {
    about: (time: string, perSecond: number) => `, about ${time} at ${Math.round(perSecond)} a second`,
    by: (who: string, when: string) => `asked for by ${who} ${when}`,
    diedAgain: 'died again',
    pause: 'Pause',
    resume: 'Resume',
    states: {
      done: 'done',
      failed: 'failed',
      paused: 'paused',
      queued: 'waits for a worker',
      running: '',
      stopped: 'stopped'
    },
    stop: 'Stop',
    title: (kind: string, count: number) =>
      kind.startsWith('redrive')
        ? `Sending ${count.toLocaleString('en')} again`
        : kind.startsWith('restore')
          ? `Bringing ${count.toLocaleString('en')} back`
          : `Discarding ${count.toLocaleString('en')}`,
    toGo: 'to go',
    went: (kind: string) =>
      kind.startsWith('redrive') ? 'went out' : kind.startsWith('restore') ? 'are back' : 'discarded'
  },
  redrive: (count: string) => `Send ${count} again…`,
  redriveConfirm: (count: string) => `Send ${count} again`,
  redriveKeeps:
    'They keep their tracking ids, go to the address that is stored now, and get as many tries as new ones.',
  redriveTitle: (count: string, all: string) =>
    `Send ${count === all ? `${count} dead letters` : `${count} of ${all} dead letters`} again?`,
  redriveWhy: (channel: string) => `${channel}, all with `,
  shown: (count: number, all: string) => `${count} of ${all} shown`
} as const
