// The button of a row that a menu belongs to.

import type { Notif } from '../../protocol/index.ts'
import type { InboxView } from '../base/inbox-view.ts'

/**
 * On touch screens the menus of a row open from its one button.
 *
 * @param act - `data-act` of the button
 */
export function findRowOpener(
  { host }: InboxView,
  { id }: Pick<Notif, 'id'>,
  act: string
): HTMLElement | null {
  const row = (host.renderRoot as ShadowRoot).getElementById(id)
  return row?.querySelector<HTMLElement>(`[data-act="${act}"], [data-act="more"]`) ?? null
}
