// Where a user is, for the hour of digests and for dates in templates.

import type { EnvironmentSettings } from '../../config/environment.ts'

/**
 * @param own - what the send says, or what is stored of the user; IANA name
 * @param usual - of the installation (NOTIF_TIMEZONE)
 */
export const zoneOf = (
  own: string | undefined,
  { defaultTimezone }: Pick<EnvironmentSettings, 'defaultTimezone'>,
  usual: string
): string => own ?? defaultTimezone ?? usual
