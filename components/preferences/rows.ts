// Turns the preferences of the server into the rows of the elements: types by title, channels and frequencies in a fixed order. Pure.

import { DELIVERIES, type Channel, type Choice, type Delivery, type Preferences } from '../protocol/index.ts'

const CHANNEL_ORDER: readonly Channel[] = ['INAPP_WEB', 'EMAIL', 'SMS', 'CALL', 'PUSH', 'WEB_PUSH', 'SLACK']

/** One channel of a row. */
export interface Cell {
  readonly channel: Channel
  readonly delivery: Delivery
  /** Without `off`, the most frequent first. */
  readonly choices: readonly Delivery[]
  readonly canBeOff: boolean
  /** The whole channel is off: the choice is kept and has no effect. */
  readonly isChannelOff: boolean
}

/** A notification type, or one of its sub-notifications. */
export interface PreferenceRow {
  readonly key: string
  readonly notificationId: string
  readonly subNotificationId?: string
  readonly title: string
  readonly description?: string | undefined
  readonly group?: string | undefined
  readonly isUrgent?: boolean | undefined
  readonly cells: readonly Cell[]
  readonly subRows: readonly PreferenceRow[]
}

interface PreferenceRows {
  /** Every channel that some row has. */
  readonly channels: readonly Channel[]
  readonly rows: readonly PreferenceRow[]
}

type Type = Preferences['notifications'][number]

const FREQUENCIES = DELIVERIES.filter(delivery => delivery !== 'off')

function createCells(
  { channels, locked = [], options }: Type,
  choices: readonly Choice[],
  switches: Preferences['channels']
): Cell[] {
  return CHANNEL_ORDER.filter(channel => channels.includes(channel)).flatMap(channel => {
    const choice = choices.find(choice => choice.channel === channel)
    const option = options[channel]
    if (!choice || !option) return []
    return [
      {
        canBeOff: Boolean(option.off) && !locked.includes(channel),
        channel,
        choices: FREQUENCIES.filter(delivery => option[delivery]),
        delivery: choice.delivery,
        isChannelOff: switches?.[channel]?.on === false && !locked.includes(channel)
      }
    ]
  })
}

/** @param lang - whose alphabet sorts the titles */
export function createPreferenceRows(
  { channels: switches, notifications, preferences, subNotifications }: Preferences,
  lang: string
): PreferenceRows {
  const { compare } = new Intl.Collator(lang, { numeric: true })
  const byTitle = (one: PreferenceRow, other: PreferenceRow): number => compare(one.title, other.title)
  const all = notifications.map((type): PreferenceRow => {
    const { notificationId, title } = type
    const choices = preferences.filter(choice => choice.notificationId === notificationId)
    const subRows = subNotifications
      .filter(sub => sub.notificationId === notificationId)
      .map(({ subNotificationId, title }): PreferenceRow => ({
        cells: createCells(
          type,
          choices.filter(choice => choice.subNotificationId === subNotificationId),
          switches
        ),
        key: JSON.stringify([notificationId, subNotificationId]),
        notificationId,
        subNotificationId,
        subRows: [],
        title
      }))
    return {
      cells: createCells(
        type,
        choices.filter(choice => !choice.subNotificationId),
        switches
      ),
      description: type.description,
      group: type.group,
      isUrgent: type.urgent,
      key: JSON.stringify([notificationId]),
      notificationId,
      subRows: subRows.filter(({ cells }) => cells.length > 0).sort(byTitle),
      title
    }
  })
  // Types without a group come first, without a heading.
  const rows = all
    .filter(({ cells, subRows }) => cells.length + subRows.length > 0)
    .sort((one, other) => compare(one.group ?? '', other.group ?? '') || byTitle(one, other))
  const used = new Set(
    rows.flatMap(row => [row, ...row.subRows]).flatMap(({ cells }) => cells.map(cell => cell.channel))
  )
  return { channels: CHANNEL_ORDER.filter(channel => used.has(channel)), rows }
}
