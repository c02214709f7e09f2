// The screens of the dashboard: name in addresses, element, and the code that is loaded when it is opened.

import {
  BROADCAST,
  CALENDAR,
  DEAD_LETTER,
  FLASK,
  PLAY,
  PULSE,
  SEND,
  SETTINGS,
  TYPES,
  USERS
} from '../view/icons.ts'

export interface Screen {
  /** Name of the page in addresses. */
  readonly page: string
  readonly tag: string
  readonly load: () => Promise<CustomElementConstructor>
  /** Property that gets the id in the path. */
  readonly item?: string
}

export interface NavigationEntry {
  readonly page: keyof typeof import('../words.ts').words.pages
  readonly icon: string
  /** Second key after `g`. */
  readonly key: string
}

/** In groups, as the side shows them. The phone's bar has those of the first group. */
export const NAVIGATION: readonly (readonly NavigationEntry[])[] = [
  [
    { icon: PULSE, key: 'n', page: 'now' },
    { icon: SEND, key: 's', page: 'sends' },
    { icon: DEAD_LETTER, key: 'd', page: 'dead-letters' },
    { icon: USERS, key: 'u', page: 'users' }
  ],
  [
    { icon: TYPES, key: 't', page: 'types' },
    { icon: BROADCAST, key: 'b', page: 'broadcasts' },
    { icon: CALENDAR, key: 'c', page: 'schedules' }
  ],
  [
    { icon: SETTINGS, key: ',', page: 'settings' },
    { icon: FLASK, key: 'x', page: 'sandbox' },
    { icon: PLAY, key: 'f', page: 'first-run' }
  ]
]

/** A screen and, after it, the one of a single item of it. */
export const SCREENS: readonly Screen[] = [
  {
    load: async () => (await import('../now/now.ts')).NotifAdminNow,
    page: 'now',
    tag: 'notif-admin-now'
  },
  {
    load: async () => (await import('../sends/sends.ts')).NotifAdminSends,
    page: 'sends',
    tag: 'notif-admin-sends'
  },
  {
    item: 'trackingId',
    load: async () => (await import('../send/send.ts')).NotifAdminSend,
    page: 'sends',
    tag: 'notif-admin-send'
  },
  {
    load: async () => (await import('../dead-letters/dead-letters.ts')).NotifAdminDeadLetters,
    page: 'dead-letters',
    tag: 'notif-admin-dead-letters'
  },
  {
    load: async () => (await import('../user/users.ts')).NotifAdminUsers,
    page: 'users',
    tag: 'notif-admin-users'
  },
  {
    item: 'userId',
    load: async () => (await import('../user/user.ts')).NotifAdminUser,
    page: 'users',
    tag: 'notif-admin-user'
  },
  {
    load: async () => (await import('../types/types.ts')).NotifAdminTypes,
    page: 'types',
    tag: 'notif-admin-types'
  },
  {
    item: 'typeId',
    load: async () => (await import('../type/type.ts')).NotifAdminType,
    page: 'types',
    tag: 'notif-admin-type'
  },
  {
    load: async () => (await import('../broadcasts/broadcasts.ts')).NotifAdminBroadcasts,
    page: 'broadcasts',
    tag: 'notif-admin-broadcasts'
  },
  {
    load: async () => (await import('../schedules/schedules.ts')).NotifAdminSchedules,
    page: 'schedules',
    tag: 'notif-admin-schedules'
  },
  {
    load: async () => (await import('../settings/settings.ts')).NotifAdminSettings,
    page: 'settings',
    tag: 'notif-admin-settings'
  },
  {
    load: async () => (await import('../sandbox/sandbox.ts')).NotifAdminSandbox,
    page: 'sandbox',
    tag: 'notif-admin-sandbox'
  },
  {
    load: async () => (await import('../first-run/first-run.ts')).NotifAdminFirstRun,
    page: 'first-run',
    tag: 'notif-admin-first-run'
  }
]

export const findScreen = (page: string, item: string): Screen | undefined =>
  SCREENS.find(screen => screen.page === page && Boolean(screen.item) === Boolean(item))

/** Whether the build has a screen for a page: others are left out of the navigation. */
export const hasScreen = (page: string): boolean => SCREENS.some(screen => screen.page === page)

/** Loads and registers the element of a screen. */
export async function defineScreen({ load, tag }: Screen): Promise<void> {
  const element = await load()
  if (!customElements.get(tag)) customElements.define(tag, element)
}
