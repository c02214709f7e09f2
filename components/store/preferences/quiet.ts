// Selects the choices that make a type quiet: off, or once a day by email.

import type { Choice, Delivery, Preferences } from '../../protocol/index.ts'
import type { Quiet, QuietChoices } from '../transport.ts'

/** @returns undefined if the user may not choose it */
export function findQuiet(
  { notifications, preferences }: Preferences,
  type: string,
  quiet: Quiet
): QuietChoices | undefined {
  const { locked = [], options } = notifications.find(({ notificationId }) => notificationId === type) ?? {}
  const toDelivery = ({ channel }: Choice): Delivery =>
    quiet === 'daily' && channel === 'EMAIL' ? 'daily' : 'off'
  const rows = preferences.flatMap(row => {
    const delivery = toDelivery(row)
    const isAllowed =
      row.notificationId === type && !locked.includes(row.channel) && options?.[row.channel]?.[delivery]
    const { isInherited: _, ...topic } = row
    return isAllowed ? [{ choice: { ...topic, delivery }, row }] : []
  })
  const isPossible = quiet === 'off' ? rows.length > 0 : rows.some(({ row }) => row.channel === 'EMAIL')
  if (!isPossible) return undefined
  const changed = rows.filter(({ choice, row }) => choice.delivery !== row.delivery)
  return { before: changed.map(({ row }) => row), choices: changed.map(({ choice }) => choice) }
}

/** @throws RangeError if the user may not choose it */
export function selectQuiet(preferences: Preferences, type: string, quiet: Quiet): QuietChoices {
  const found = findQuiet(preferences, type, quiet)
  if (!found) throw new RangeError(`The user may not choose ${quiet} for the type ${type}.`)
  return found
}
