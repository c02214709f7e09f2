// Who a send is to: what it says of the user, and what is stored where it says nothing.

import type { Contact } from '../../users/users.sql.ts'
import type { Recipient } from '../send-request.ts'

/** What is stored of the user and the send does not say, for dates and languages. */
export type StoredReader = Pick<Recipient, 'locale' | 'timezone'>

/** @param usual - zone of who has none stored (zone.ts) */
export function readerOf(
  to: Recipient,
  { locale, timezone }: Pick<Contact, 'locale' | 'timezone'>,
  usual: string
): { readonly reader?: StoredReader } {
  const zone = timezone ?? usual
  const reader = {
    ...(locale !== undefined && to.locale === undefined && { locale }),
    // In UTC dates are written anyway.
    ...(zone !== 'UTC' && to.timezone === undefined && { timezone: zone })
  }
  return 'locale' in reader || 'timezone' in reader ? { reader } : {}
}

export function mergedUser(to: Recipient, { email, number, slack, timezone, locale }: Contact): Recipient {
  const { slackChannel = slack?.channel, ...said } = to
  return {
    ...(email !== undefined && { email }),
    ...(number !== undefined && { number }),
    ...(timezone !== undefined && { timezone }),
    ...(locale !== undefined && { locale }),
    ...said,
    // Without a connection nobody can write there.
    ...(slack && slackChannel !== undefined && { slackChannel })
  }
}
