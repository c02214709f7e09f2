// Suggests values for a search of the log as they are typed: GET /:clientId/logs/suggestions.

import { CHANNELS } from '#protocol'

import { parseQuery } from '../../http/parse-input.ts'
import { ok, route, type Route } from '../../http/route.ts'
import type { Context } from '../../process/context.ts'
import { compareUsers, isListedBefore, readUserPage } from '../../users/user-pages.sql.ts'
import { maskAddress } from '../address.ts'
import { RULES } from '../explain-rules.ts'
import { FIELD_NAMES } from '../query/fields.ts'
import { LOG_STATUSES } from '../schema.ts'
import { DECISIONS } from '../status-labels.ts'
import { suggestionsDoc } from './doc.ts'
import { SUGGESTION_KINDS, suggestionsQuery, type SuggestionKind } from './schema.ts'
import { typesStatement, type SuggestedType } from './types.sql.ts'

interface Suggestion {
  readonly kind: SuggestionKind
  readonly value: string
  readonly hint?: string
}

/** Kinds whose values are known without the database. */
const FIXED: Partial<Readonly<Record<SuggestionKind, readonly string[]>>> = {
  channel: CHANNELS,
  decision: DECISIONS,
  field: FIELD_NAMES,
  rule: RULES,
  status: LOG_STATUSES
}

interface Typed {
  readonly envId: string
  readonly text: string
  readonly count: number
  readonly masksAddresses: boolean
}

export function suggestionRoutes({ db }: Pick<Context, 'db'>): Route[] {
  const findTypes = async ({ count, envId, text }: Typed): Promise<readonly Suggestion[]> => {
    const types = await db.control<SuggestedType[]>`${typesStatement(db.control, envId, text, count)}`
    return types.map(({ id, title }) => ({ hint: title, kind: 'type', value: id }))
  }
  const findUsers = async ({ count, envId, masksAddresses, text }: Typed): Promise<readonly Suggestion[]> => {
    if (text === '') return []
    const pages = await Promise.all(
      // A user is found by several fields, and listed by the first.
      db.groups.map(group => readUserPage(group, { envId, limit: count, text }))
    )
    return pages
      .flat()
      .toSorted(compareUsers)
      .filter(user => !isListedBefore(user, text))
      .slice(0, count)
      .map(({ email, field, number, userId }): Suggestion => {
        const address = field === 'number' ? number : (email ?? number)
        if (address === null) return { kind: 'user', value: userId }
        return { hint: masksAddresses ? maskAddress(address) : address, kind: 'user', value: userId }
      })
  }
  const find = async (kind: SuggestionKind, typed: Typed): Promise<readonly Suggestion[]> => {
    if (kind === 'type') return findTypes(typed)
    if (kind === 'user') return findUsers(typed)
    const start = typed.text.toLowerCase()
    return FIXED[kind]!.filter(value => value.toLowerCase().startsWith(start))
      .slice(0, typed.count)
      .map(value => ({ kind, value }))
  }
  return [
    route('GET', '/:clientId/logs/suggestions', 'back-end', suggestionsDoc, async call => {
      const { count, kind = SUGGESTION_KINDS, text } = parseQuery(suggestionsQuery, call.query)
      const typed = { count, envId: call.env.id, masksAddresses: call.masksAddresses, text }
      const found = await Promise.all([...new Set(kind)].map(one => find(one, typed)))
      return ok({ suggestions: found.flat() })
    })
  ]
}
