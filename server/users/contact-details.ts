// Contact details in an environment that takes them from back ends only: a page proves who its user is, but not that a number or an
// address is theirs.

import type { UserKey } from '../core/id.ts'
import type { Query } from '../db/db.ts'
import { Problem } from '../http/problem.ts'
import type { Identity } from './schema.ts'
import { readUser } from './users.sql.ts'

/** Where messages to a user go. Devices are not here: only the user's own browser or app can register its own. */
const CONTACT_DETAILS = ['email', 'number', 'slackChannel', 'slackToken'] as const

/**
 * Returns the identity without its contact details. Older pages send them with every identify request, so those that equal the
 * stored ones are accepted. They are not written, because a back end may change them meanwhile.
 *
 * @throws Problem `forbidden` if the identity changes a contact detail
 */
export async function withoutContactDetails(
  query: Query,
  user: UserKey,
  identity: Identity
): Promise<Identity> {
  const given = CONTACT_DETAILS.filter(name => identity[name] !== undefined)
  if (given.length === 0) return identity
  const stored = await readUser(query, user)
  const changed = given.filter(name => (identity[name] ?? undefined) !== stored[name])
  if (changed.length === 0)
    return { ...identity, ...Object.fromEntries(given.map(name => [name, undefined])) }
  const detail =
    'In this environment, only a back end may change contact details (contactsFromBackEndOnly). Nothing was changed.'
  throw new Problem('forbidden', detail, {
    errors: changed.map(name => ({ detail, pointer: `#/${name}` }))
  })
}
