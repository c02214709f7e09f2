// The texts of Now.

import { channelWord, plural } from '../words.ts'

/** A number that may be larger. */
interface Counted {
  readonly count: number
  readonly isAtLeast: boolean
}

/** Of a queue, what a sentence needs. */
interface Queue {
  readonly channel: string
}

const PROVIDERS: Readonly<Record<string, string | undefined>> = {
  apns: 'Apple',
  fcm: 'Firebase',
  sandbox: 'No provider set up',
  slack: 'Slack',
  twilio: 'Twilio',
  'web-push': 'Browsers’ push services'
}

const NOT_SET_UP: Readonly<Record<string, string | undefined>> = {
  APN: 'Apple is not set up',
  FCM: 'Firebase is not set up'
}

export const nowWords = {
  attention: {
    alsoTitle: 'Also needs you',
    count: (count: number) => `${plural(count, 'thing')}, the worst first`,
    dead: ({ count, isAtLeast }: Counted) =>
      plural(count, 'dead letter', isAtLeast ? 'or more dead letters' : undefined),
    deadWhy: 'The most common cause: ',
    key: (name: string) => `The API key ${name} expires soon`,
    keyWhy: (day: string) => `It stops on ${day}. Create another one before.`,
    lookAtThem: 'Look at them',
    on: (channel: string, { count, isAtLeast }: Counted) =>
      `on ${channel}, ${count}${isAtLeast ? ' or more' : ''} of them.`,
    open: 'Open',
    probes: { dkim: 'The DKIM record has a fault', smtp: 'The mail server has a fault' },
    secret: 'The previous client secret ends soon',
    secretWhy: (day: string) => `It is valid until ${day}.`,
    title: 'Needs you',
    unsendable: {
      'attachment-too-large': (type: string, channel: string) =>
        `${type} has attachments that are too large for ${channel}`,
      'no-provider': (type: string, channel: string) => `${type} goes to ${channel}, which has no provider`,
      'no-template': (type: string, channel: string) => `${type} has no template for ${channel}`,
      'render-failed': (type: string, channel: string) => `${type} cannot be rendered for ${channel}`,
      'too-long': (type: string, channel: string) => `${type} is too long for ${channel}`
    },
    unsendableWhy: (count: number) =>
      `${plural(count, 'message')} since yesterday ${count === 1 ? 'was' : 'were'} not sent: `,
    write: 'Write it'
  },
  channels: {
    average: 'A minute, on average',
    channel: 'Channel',
    delivered: 'Delivered',
    intro: 'Each has a queue of its own; one that rests holds up no other.',
    lastOne: (minutes: number) =>
      minutes === 0 ? 'last one within a minute' : `last one ${minutes} min ago`,
    late: 'Oldest is late',
    minute: 'A minute',
    nextProbe: (time: string) => `next probe at ${time}`,
    nothingYet: 'nothing in the last hour',
    pause: (channel: string) => `Pause ${channel}`,
    pausedBy: (by: string, until: string | undefined) => `by ${by}${until ? `, until ${until}` : ''}`,
    refused: (failed: number, tried: number) => `${failed} of ${tried} in the last hour`,
    sandbox: 'messages are kept, not sent',
    setUp: 'Set up',
    span: 'Deliveries of',
    spans: { '1h': '1 h', '24h': '24 h', '7d': '7 d' },
    spansLong: { '1h': 'the last hour', '24h': 'the last 24 hours', '7d': 'the last 7 days' },
    state: 'State',
    taken: 'Taken by providers',
    thisServer: 'This server',
    title: 'Channels',
    waiting: 'Waiting'
  },
  databaseWhy:
    'Sends are refused until it is back; what was accepted is on disk. Look at the database server.',
  databases: {
    ok: '',
    'read-only': 'The database takes no writes.'
  },
  figures: {
    chart: (sent: number, failed: number) => `Deliveries of the last hour: ${sent} sent, ${failed} refused`,
    database: 'Database',
    databaseStates: { ok: 'answers', 'read-only': 'takes no writes' },
    delivered: 'Delivered, last hour',
    nodes: (count: number) => `on ${plural(count, 'node')}`,
    perMinute: 'Sent a minute',
    sockets: 'Open pages',
    taken: (taken: number, refused: number) =>
      `${taken.toLocaleString('en')} taken, ${refused.toLocaleString('en')} refused`,
    usual: (now: number, usual: number | undefined) => {
      if (usual === undefined) return 'no earlier data'
      const difference = Math.round(now - usual)
      if (Math.abs(difference) <= Math.max(2, usual * 0.15)) return 'as usual'
      return `${Math.abs(difference)} ${difference > 0 ? 'more' : 'fewer'} than usual`
    }
  },
  isPaused: ({ channel }: Queue) => `${channelWord(channel)} is paused`,
  isProbed: ({ channel }: Queue) => `The provider of ${channelWord(channel)} answers`,
  isResumed: ({ channel }: Queue) => `${channelWord(channel)} goes on`,
  itSays: 'The provider says ',
  mend: ({ channel }: Queue) =>
    channel === 'EMAIL'
      ? 'Correct NOTIF_SMTP_URL and restart: when a probe gets through, all of them follow. Other channels go on.'
      : 'Correct the credentials of the provider and restart: when a probe gets through, all of them follow. Other channels go on.',
  needsYou: (count: number) => `${count === 1 ? 'One thing needs' : `${count} things need`} a look.`,
  pause: 'Pause',
  pauseChoices: { '': 'Until it is resumed', 15: '15 minutes', 480: '8 hours', 60: '1 hour' },
  pauseTitle: ({ channel }: Queue) => `Pause ${channelWord(channel)} for all environments?`,
  pauseUntil: 'How long',
  pauseWhy: (waiting: number) =>
    `${waiting === 0 ? 'Nothing waits now' : `${plural(waiting, 'message')} of this environment ${waiting === 1 ? 'waits' : 'wait'} now`}. New messages wait as well; none is lost, and none uses an attempt.`,
  probe: 'Probe now',
  /** Mobile push has two queues of one name: the provider tells them apart. */
  provider: ({ provider, queue }: { readonly provider: string; readonly queue: string }) =>
    (provider === 'sandbox' ? NOT_SET_UP[queue] : undefined) ?? PROVIDERS[provider] ?? provider,
  rests: ({ channel }: Queue, time: string) =>
    `${channelWord(channel)} has been resting for ${time}: the provider refuses every message.`,
  resume: 'Resume',
  seeWaiting: ({ count, isAtLeast }: Counted) =>
    `See the ${count.toLocaleString('en')}${isAtLeast ? '+' : ''}`,
  waitSafely: ({ count, isAtLeast }: Counted) =>
    `${count.toLocaleString('en')}${isAtLeast ? ' or more' : ''} ${count === 1 && !isAtLeast ? 'message waits' : 'messages wait'}; none is lost, and none has used up a try.`,
  well: 'All is well.',
  wellWhy: (sending: number, { deadLetters }: { deadLetters: Counted }) =>
    `${plural(sending, 'channel')} ${sending === 1 ? 'is' : 'are'} sending and none rests. ${deadLetters.count === 0 ? 'There are no dead letters.' : ''}`
} as const
