// Checks the form of actions and choices in the database: any version of the kit may have written them.

import type { InboxPatch } from '../../protocol/index.ts'
import type { StoredAction, StoredChoices } from '../transport.ts'

export type Row<T> = T & {
  readonly user: string
  /** Page that sends the row. */
  readonly tab: string
}

const isRow = (x: unknown): boolean => {
  const { key } = Object(x) as Record<string, unknown>
  return typeof key === 'string'
}

const isPatch = (x: unknown): x is InboxPatch => {
  const { trackingIds } = Object(x) as Record<string, unknown>
  return trackingIds === 'ALL' || Array.isArray(trackingIds)
}

export const isAction = (x: unknown): x is Row<StoredAction> => isRow(x) && isPatch((x as StoredAction).patch)

export const isChoices = (x: unknown): x is Row<StoredChoices> =>
  isRow(x) && Array.isArray((x as StoredChoices).choices)
