// Where a notification leads.

import type { Notif } from '../../protocol/index.ts'

/** A row is one link: without an address of its own it leads where the first link of its title does. */
export const findAddress = ({ redirectURL, titleRuns }: Notif): string | undefined =>
  redirectURL ?? titleRuns?.find(({ href }) => href)?.href
