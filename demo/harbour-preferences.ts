// Sample preferences with every kind of choice, for tests and pictures.

import type { Channel, Choice, Delivery, Preferences } from '../components/protocol/index.ts'

type Options = Preferences['notifications'][number]['options']

const offers = (...deliveries: readonly Delivery[]): NonNullable<Options['EMAIL']> =>
  Object.assign(
    { defaultDeliveryOption: deliveries[1] ?? deliveries[0]! },
    Object.fromEntries(deliveries.map(delivery => [delivery, { enabled: true }]))
  )

const OFTEN = offers('off', 'instant', 'hourly', 'daily', 'weekly', 'monthly')
const SOME = offers('off', 'instant', 'daily')
const SWITCH = offers('off', 'instant')

interface Chosen {
  readonly id: string
  readonly sub?: string
  readonly on: { readonly [C in Channel]?: Delivery }
}

const rows = ({ id, on, sub }: Chosen): Choice[] =>
  Object.entries(on).map(([channel, delivery]) =>
    Object.assign(
      { channel: channel as Channel, delivery, notificationId: id },
      sub !== undefined && { subNotificationId: sub }
    )
  )

/** @param title - returns the title of a type or sub-notification by its id */
export function harbourPreferences(title: (id: string) => string = id => TITLES[id]!): Preferences {
  const type = (id: string, options: Options): Preferences['notifications'][number] => ({
    channels: Object.keys(options) as Channel[],
    notificationId: id,
    options,
    title: title(id)
  })
  const sub = (id: string): Preferences['subNotifications'][number] => ({
    notificationId: 'timetable',
    subNotificationId: id,
    title: title(id)
  })
  return {
    notifications: [
      type('timetable', { EMAIL: OFTEN, INAPP_WEB: SWITCH, PUSH: SOME, SMS: SWITCH, WEB_PUSH: SWITCH }),
      type('comments', { EMAIL: OFTEN, INAPP_WEB: SWITCH, PUSH: SOME, WEB_PUSH: SWITCH }),
      type('season', { EMAIL: offers('off', 'weekly', 'monthly') }),
      type('safety', {
        CALL: SWITCH,
        EMAIL: SOME,
        INAPP_WEB: offers('instant'),
        PUSH: SWITCH,
        SMS: SWITCH,
        WEB_PUSH: SWITCH
      })
    ],
    preferences: [
      { id: 'comments', on: { EMAIL: 'hourly', INAPP_WEB: 'instant', PUSH: 'instant', WEB_PUSH: 'off' } },
      {
        id: 'timetable',
        on: { EMAIL: 'daily', INAPP_WEB: 'instant', PUSH: 'instant', SMS: 'instant', WEB_PUSH: 'instant' }
      },
      {
        id: 'timetable',
        on: { EMAIL: 'instant', INAPP_WEB: 'instant', PUSH: 'instant', SMS: 'instant', WEB_PUSH: 'instant' },
        sub: 'harbour'
      },
      {
        id: 'timetable',
        on: { EMAIL: 'daily', INAPP_WEB: 'instant', PUSH: 'off', SMS: 'off', WEB_PUSH: 'off' },
        sub: 'island'
      },
      {
        id: 'timetable',
        on: { EMAIL: 'off', INAPP_WEB: 'off', PUSH: 'off', SMS: 'off', WEB_PUSH: 'off' },
        sub: 'night'
      },
      {
        id: 'safety',
        on: {
          CALL: 'instant',
          EMAIL: 'instant',
          INAPP_WEB: 'instant',
          PUSH: 'instant',
          SMS: 'instant',
          WEB_PUSH: 'off'
        }
      },
      { id: 'season', on: { EMAIL: 'monthly' } }
    ].flatMap(rows as (chosen: object) => Choice[]),
    subNotifications: [sub('night'), sub('harbour'), sub('island')]
  }
}

const TITLES: Readonly<Record<string, string>> = {
  comments: 'Comments and mentions',
  harbour: 'Harbour line',
  island: 'Island line',
  night: 'Night boats',
  safety: 'Safety on board',
  season: 'Season report',
  timetable: 'Timetable changes'
}
export const GERMAN: Readonly<Record<string, string>> = {
  comments: 'Kommentare und Erwähnungen',
  harbour: 'Hafenlinie',
  island: 'Insellinie',
  night: 'Nachtfähren',
  safety: 'Betriebssicherheitshinweise',
  season: 'Saisonbericht',
  timetable: 'Fahrplanänderungsmitteilungen'
}
export const ARABIC: Readonly<Record<string, string>> = {
  comments: 'التعليقات والإشارات',
  harbour: 'خط الميناء',
  island: 'خط الجزيرة',
  night: 'قوارب الليل',
  safety: 'السلامة على متن القارب',
  season: 'تقرير الموسم',
  timetable: 'تغييرات المواعيد'
}

const GROUPS: Readonly<Record<string, { readonly group: string; readonly description: string }>> = {
  comments: { description: 'Someone writes to you, or about your work.', group: 'Your work' },
  safety: { description: 'Storm, fog, engine trouble. Comes at any hour.', group: 'Sailing' },
  season: { description: 'Passengers, punctuality and fuel, in five charts.', group: 'Company' },
  timetable: { description: 'A departure you follow moves or is called off.', group: 'Sailing' }
}

/** The samples with groups, an urgent type, switches of whole channels, a pause and quiet hours. */
export function harbourSettings(
  settings: Partial<Pick<Preferences, 'channels' | 'pause' | 'quiet' | 'topics'>> = {}
): Preferences {
  const preferences = harbourPreferences()
  return {
    ...preferences,
    notifications: preferences.notifications.map(type =>
      Object.assign(
        {},
        type,
        GROUPS[type.notificationId],
        type.notificationId === 'safety' && { locked: ['INAPP_WEB'] as const, urgent: true }
      )
    ),
    channels: {
      CALL: { on: true },
      EMAIL: { on: true },
      INAPP_WEB: { on: true },
      PUSH: { on: true },
      SMS: { on: false },
      WEB_PUSH: { on: true }
    },
    pause: { isOn: false, until: null },
    quiet: {
      days: [1, 2, 3, 4, 5],
      from: '22:00',
      on: true,
      to: '07:00',
      urgentPasses: true,
      zone: 'Europe/Amsterdam'
    },
    topics: [
      { id: 'line/harbour', title: 'Harbour line' },
      { id: 'season-2027', title: 'Season tickets 2027' }
    ],
    ...settings
  }
}
