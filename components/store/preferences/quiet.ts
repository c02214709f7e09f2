// Selects the choices that make a type quiet: off, or once a day by email.

import type { Choice, Delivery, Preferences } from '../../protocol/index.ts'
import type { Quiet, QuietChoices } from '../transport.ts'

/** @throws RangeError if the user may not choose it */
export function selectQuiet(
  { notifications, preferences }: Preferences,
  type: string,
  quiet: Quiet
): QuietChoices {
  const options = notifications.find(({ notificationId }) => notificationId === type)?.options
  const toDelivery = ({ channel }: Choice): Delivery | undefined => {
    if (quiet === 'off') return 'off'
    return channel === 'EMAIL' ? 'daily' : channel === 'INAPP_WEB' ? 'off' : undefined
  }
  const rows = preferences.flatMap(row => {
    const delivery = toDelivery(row)
    const isAllowed = row.notificationId === type && delivery && options?.[row.channel]?.[delivery]
    return isAllowed ? [{ row, choice: { ...row, delivery } }] : []
  })
  const isPossible = quiet === 'off' ? rows.length > 0 : rows.some(({ row }) => row.channel === 'EMAIL')
  if (!isPossible) throw new RangeError(`The user may not choose ${quiet} for the type ${type}.`)
  const changed = rows.filter(({ choice, row }) => choice.delivery !== row.delivery)
  return { before: changed.map(({ row }) => row), choices: changed.map(({ choice }) => choice) }
}
