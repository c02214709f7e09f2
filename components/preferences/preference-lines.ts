// From the wire's matrix to what a person looks at: types by title, channels in one order, choices in theirs. Pure.

import { DELIVERIES, type Channel, type Choice, type Delivery, type Preferences } from '../protocol/index.ts'

/** What is nearest to the reader comes first. */
const ORDER: readonly Channel[] = ['INAPP_WEB', 'EMAIL', 'SMS', 'CALL', 'PUSH', 'WEB_PUSH', 'SLACK']

export interface Cell {
  readonly channel: Channel
  readonly delivery: Delivery
  /** Those besides `off`, the most frequent first. */
  readonly choices: readonly Delivery[]
  readonly canBeOff: boolean
}

export interface Line {
  readonly key: string
  readonly notificationId: string
  readonly subNotificationId?: string
  readonly title: string
  readonly cells: readonly Cell[]
  readonly subs: readonly Line[]
}

interface Lines {
  /** Every channel that some line has. */
  readonly channels: readonly Channel[]
  readonly lines: readonly Line[]
}

type Type = Preferences['notifications'][number]

const ON = DELIVERIES.filter(delivery => delivery !== 'off')

function cellsOf({ channels, options }: Type, rows: readonly Choice[]): Cell[] {
  return ORDER.filter(channel => channels.includes(channel)).flatMap(channel => {
    const row = rows.find(row => row.channel === channel)
    const offered = options[channel]
    if (!row || !offered) return []
    const choices = ON.filter(delivery => offered[delivery])
    return [{ canBeOff: Boolean(offered.off), channel, choices, delivery: row.delivery }]
  })
}

/** @param lang - by whose alphabet titles are sorted */
export function linesOf({ notifications, preferences, subNotifications }: Preferences, lang: string): Lines {
  const { compare } = new Intl.Collator(lang, { numeric: true })
  const byTitle = (one: Line, other: Line): number => compare(one.title, other.title)
  const lines = notifications.map((type): Line => {
    const { notificationId, title } = type
    const rows = preferences.filter(row => row.notificationId === notificationId)
    const subs = subNotifications
      .filter(sub => sub.notificationId === notificationId)
      .map(({ subNotificationId, title }): Line => ({
        cells: cellsOf(
          type,
          rows.filter(row => row.subNotificationId === subNotificationId)
        ),
        key: JSON.stringify([notificationId, subNotificationId]),
        notificationId,
        subNotificationId,
        subs: [],
        title
      }))
    return {
      cells: cellsOf(
        type,
        rows.filter(row => !row.subNotificationId)
      ),
      key: JSON.stringify([notificationId]),
      notificationId,
      subs: subs.filter(({ cells }) => cells.length > 0).sort(byTitle),
      title
    }
  })
  const shown = lines.filter(({ cells, subs }) => cells.length + subs.length > 0).sort(byTitle)
  const used = new Set(
    shown.flatMap(line => [line, ...line.subs]).flatMap(({ cells }) => cells.map(cell => cell.channel))
  )
  return { channels: ORDER.filter(channel => used.has(channel)), lines: shown }
}
