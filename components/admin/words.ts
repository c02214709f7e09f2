// The texts of the dashboard. Sentence case, no exclamation; the thing first, then what is safe, then what to do.

/** `1 dead letter`, `38 dead letters`. */
export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`

/** A number that may be larger. */
interface Counted {
  readonly count: number
  readonly isAtLeast: boolean
}

/** Of a queue, what a sentence needs. */
interface Queue {
  readonly channel: string
}

const CHANNEL_WORDS: Readonly<Record<string, string | undefined>> = {
  CALL: 'Call',
  EMAIL: 'Email',
  INAPP_WEB: 'In app',
  PUSH: 'Mobile push',
  SLACK: 'Slack',
  SMS: 'SMS',
  WEB_PUSH: 'Web push'
}

const channelWord = (channel: string): string => CHANNEL_WORDS[channel] ?? channel

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

export const words = {
  brand: 'notif-kit',
  cancel: 'Cancel',
  close: 'Close',
  copyId: 'Copy the tracking id',
  noChannel: 'No channel',
  retry: 'Try again',
  undo: (seconds: number) => `Undo, ${seconds} s`,

  channels: {
    CALL: 'Call',
    EMAIL: 'Email',
    INAPP_WEB: 'In app',
    PUSH: 'Mobile push',
    SLACK: 'Slack',
    SMS: 'SMS',
    WEB_PUSH: 'Web push'
  },
  channelStates: { discarded: 'discarded', failed: 'failed', sent: 'sent', waiting: 'waits' },
  states: {
    clicked: 'Clicked',
    delivered: 'Delivered',
    discarded: 'Discarded',
    failed: 'Failed',
    opened: 'Opened',
    paused: 'Paused',
    refused: 'Many refused',
    resting: 'Resting',
    sandbox: 'Sandbox',
    scheduled: 'Scheduled',
    sending: 'Sending',
    sent: 'Sent',
    waiting: 'Waiting'
  },
  roles: { admin: 'Admin', editor: 'Editor', support: 'Support', viewer: 'Viewer' },

  pages: {
    'dead-letters': 'Dead letters',
    'first-run': 'First steps',
    now: 'Now',
    sandbox: 'Sandbox',
    schedules: 'Schedules',
    sends: 'Sends',
    settings: 'Settings',
    types: 'Types',
    users: 'Users'
  },
  /** Under the icons of a phone. */
  shortPages: { 'dead-letters': 'Dead' } as Readonly<Record<string, string | undefined>>,
  lost: { text: 'The address may be old. The navigation has every page.', title: 'No such page' },

  problem: {
    noAnswer: 'The server did not answer. Check the connection, then try again.',
    request: 'request',
    title: 'That did not work',
    titles: {
      0: 'No answer',
      403: 'Your role may not do this',
      404: 'Not found',
      429: 'Too many requests',
      503: 'The server cannot answer now'
    } as Readonly<Record<number, string | undefined>>
  },

  shell: {
    account: 'Account',
    changeEnvironment: 'Change the environment',
    environments: 'Environments',
    mod: /Mac|iP/.test(navigator.platform) ? '⌘' : 'Ctrl ',
    more: 'More',
    navigation: 'Pages',
    needYou: 'need you',
    newEnvironment: 'New environment',
    noEnvironment: 'No environment',
    noEnvironmentWhy: 'Your role has access to none. An admin can change that.',
    offline: 'No answer',
    online: 'Live',
    scheme: 'Color scheme',
    schemes: { auto: 'As the system', dark: 'Dark', light: 'Light' },
    signOut: 'Sign out',
    signOutEverywhere: 'Sign out on every device',
    skip: 'Skip to the content',
    tabs: 'Main pages'
  },

  keys: {
    nextRow: 'Next row',
    openRow: 'Open the row',
    previousRow: 'Previous row',
    single: 'Single keys',
    singleWhy: 'Keys without Ctrl or Cmd rest in fields. They can be switched off in the account menu.',
    title: 'Keys'
  },

  now: {
    attention: {
      alsoTitle: 'Also needs you',
      count: (count: number) => `${plural(count, 'thing')}, the worst first`,
      dead: ({ count, isAtLeast }: Counted) =>
        plural(count, 'dead letter', isAtLeast ? 'or more dead letters' : undefined),
      deadWhy: 'The most common cause: ',
      key: (name: string) => `The API key ${name} expires soon`,
      keyWhy: (day: string) => `It stops on ${day}. Create another one before.`,
      lookAtThem: 'Look at them',
      on: (channel: string) => `on ${channel}.`,
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
    pauseChoices: { '': 'Until somebody resumes it', 15: '15 minutes', 480: '8 hours', 60: '1 hour' },
    pauseTitle: ({ channel }: Queue) => `Pause ${channelWord(channel)} for all environments?`,
    pauseUntil: 'How long',
    pauseWhy: (waiting: number) =>
      `${waiting === 0 ? 'Nothing waits now' : `${plural(waiting, 'message')} of this environment ${waiting === 1 ? 'waits' : 'wait'} now`}. New messages wait as well; none is lost, and none uses an attempt.`,
    probe: 'Probe now',
    providers: {
      apns: 'Apple',
      fcm: 'Firebase',
      sandbox: 'No provider set up',
      slack: 'Slack',
      twilio: 'Twilio',
      'web-push': 'Browsers’ push services'
    } as Readonly<Record<string, string | undefined>>,
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
  },

  sends: {
    clear: 'Clear the filter',
    columns: [
      ['time', 'Time'],
      ['status', 'Status'],
      ['type', 'Type'],
      ['user', 'User'],
      ['channels', 'Channels'],
      ['why', 'Why'],
      ['id', 'Tracking id']
    ],
    copyLink: 'Copy link',
    everyChannel: 'Every channel of the type took it.',
    faults: {
      channel:
        'Unknown channel. Expected INAPP_WEB, EMAIL, SMS, CALL, PUSH, WEB_PUSH or SLACK after channel:',
      since: 'Unknown time. Expected 30m, 24h, 7d, 09:00 or a date after since:',
      status: 'Unknown status. Expected failure, waiting, discarded or success after status:'
    },
    fields: 'Fields',
    filter: 'Filter sends',
    keys: {
      channel: 'Channel',
      id: 'Tracking id',
      since: 'Time',
      status: 'Status',
      to: 'Email address or number',
      type: 'Type',
      user: 'User id',
      where: 'Condition on the request'
    },
    live: 'Live tail',
    new: (count: number) => `${count} new`,
    newer: 'Newer',
    noMatch: 'No send matches',
    noMatchWhy: 'Nothing with ',
    nothingYet: 'Nothing has been sent here',
    nothingYetWhy: 'The first send appears by itself, within seconds.',
    older: 'Older',
    open: 'Open',
    pageEnd: (count: number, end: string | undefined, hasMore: boolean) =>
      count === 0
        ? 'Nothing found so far; older sends may match.'
        : `${plural(count, 'send')}, the newest first. ${hasMore ? `This page ends at ${end}.` : 'This is the end of the log.'}`,
    peek: 'Look at it here',
    placeholder:
      'Email address, user id, type:…, status:failure, since:24h, or request.parameters.item = "…"',
    remove: (key: string, value: string) => `Remove ${key} ${value}`,
    searchAll: 'Search all of the log',
    status: 'Status',
    statuses: { '': 'All', discarded: 'Discarded', failure: 'Failed', waiting: 'Waiting' },
    suggestions: 'Suggestions',
    today: 'Today',
    values: {
      '1h': 'the last hour',
      '24h': 'the last day',
      '30d': 'the last 30 days',
      '7d': 'the last 7 days',
      discarded: 'a rule left it out',
      failure: 'at least one channel failed',
      success: 'every channel took it',
      waiting: 'not out yet'
    } as Readonly<Record<string, string | undefined>>
  },

  send: {
    again: 'Send again',
    againConfirm: (count: number) => `Send on ${plural(count, 'channel')}`,
    againTitle: (user: string) => `Send this again to ${user}?`,
    againWhy: (user: string) =>
      `One notification to ${user}, with the templates, preferences and addresses of now. It gets a new tracking id.`,
    asRendered: 'as rendered then',
    copy: 'Copy',
    copyCurl: 'Copy as curl',
    heading: (type: string, user: string) => `${type}, to ${user}`,
    isSent: 'Sent again',
    legend: { failed: 'a try that failed', seen: 'seen', taken: 'out of our hands' },
    mailFrame: 'The email',
    marks: {
      clicked: 'clicked',
      dead: 'given up',
      delivered: 'delivered',
      failed: 'failed',
      opened: 'opened',
      taken: 'taken'
    },
    neverArrived: 'never arrived',
    notExact: 'Rendered again: parts of the template may have been others then.',
    now: 'now',
    request: 'The send',
    requestSize: (bytes: number) => `as it came, ${bytes.toLocaleString('en')} bytes; secrets are never kept`,
    ruleNames: {} as Readonly<Record<string, string | undefined>>,
    seen: (user: string) => `What ${user} saw`,
    story: {
      accepted: 'Accepted',
      attempt: (attempt: number, outcome: string) =>
        outcome === 'sent' ? `Try ${attempt} was taken` : `Try ${attempt} failed`,
      clicked: 'Clicked',
      dead: 'Given up: a dead letter',
      deadWhy: 'It can be sent again, or discarded.',
      decision: (decision: string) => `Decision: ${decision}.`,
      discarded: 'Discarded before the queue',
      done: 'Done',
      failedEarly: 'Failed before the queue',
      next: 'Next try',
      opened: 'Opened',
      receipts: {
        answered: 'Answered',
        delayed: 'Delayed',
        delivered: 'Delivered',
        undelivered: 'Not delivered'
      },
      rules: 'The rules, in their order',
      sameWords: 'the same words',
      title: 'Channel by channel'
    },
    through: (through: number, tried: number) => {
      if (tried === 0) return 'No channel was used.'
      if (through === tried)
        return tried === 1
          ? 'One channel was used, and it got through.'
          : `All ${tried} channels got through.`
      if (through === 0)
        return tried === 1 ? 'The one channel has not got through.' : `None of ${tried} channels got through.`
      return `${through} of ${tried} channels got through.`
    },
    title: 'Send',
    to: (user: string) => `to ${user}`,
    trace: 'What happened when',
    traceFrom: (time: string) => `from ${time}, on a scale that stretches the first seconds`,
    unused: (channels: readonly string[]) =>
      `${new Intl.ListFormat('en').format(channels)} ${channels.length === 1 ? 'is' : 'are'} not part of it.`
  },

  deadLetters: {
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
  },

  palette: {
    choose: 'choose',
    do: 'Do',
    empty: 'Nothing matches',
    failed: (text: string) => ['What failed for ', text] as const,
    goTo: 'Go to',
    newTab: 'new tab',
    open: 'Search or jump to',
    openKey: 'open',
    openSend: 'Open the send',
    paste: 'Paste a tracking id to open it',
    people: 'People',
    sends: (text: string) => ['Sends to ', text] as const,
    title: 'Go to or do',
    types: 'Types'
  },

  signIn: {
    foot: 'The session ends after 12 hours, or an hour without use.',
    help: 'NOTIF_ADMIN_TOKEN of the server, or the one that it printed at its first start.',
    oidc: (label: string) => `Continue with ${label}`,
    or: 'or',
    submit: 'Sign in with the token',
    title: 'Sign in',
    token: 'Admin token',
    wrong: 'This token is not right, or no longer.'
  }
} as const
