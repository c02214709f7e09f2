// The texts of the dashboard that all screens share; those of a screen are in `words/`. Sentence case, no exclamation; the thing first, then what is safe, then what to do.

/** `1 dead letter`, `38 dead letters`. */
export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`

const channels = {
  CALL: 'Call',
  EMAIL: 'Email',
  INAPP_WEB: 'In app',
  PUSH: 'Mobile push',
  SLACK: 'Slack',
  SMS: 'SMS',
  WEB_PUSH: 'Web push'
} as const

export const channelWord = (channel: string): string =>
  (channels as Readonly<Record<string, string | undefined>>)[channel] ?? channel

/** Who did something, as the audit log and versions have it: a member, a key, or the admin token with the beginning of its digest. */
export const actorName = (actor: string): string =>
  actor.replace(/^(?:member|key):/, '').replace(/^admin:/, 'Admin token ')

export const words = {
  actions: 'Actions',
  brand: 'notif-kit',
  cancel: 'Cancel',
  close: 'Close',
  copyId: 'Copy the tracking id',
  everyChannel: 'Every channel of the type took it.',
  noChannel: 'No channel',
  retry: 'Try again',
  undo: (seconds: number) => `Undo, ${seconds} s`,

  channels,
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
    broadcasts: 'Broadcasts',
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
