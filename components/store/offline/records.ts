// Actions and choices as a browser's database holds them. Any version of the kit may have written them, so each is looked at
// before it is believed.

import type { InboxPatch } from '../../protocol/index.ts'
import type { KeptAction, KeptChoices } from '../transport.ts'

export type Row<T> = T & {
  readonly user: string
  /** The page that sends it. */
  readonly tab: string
}

const isRow = (x: unknown): boolean => {
  const { key, seen } = Object(x) as Record<string, unknown>
  return typeof key === 'string' && seen instanceof Object
}

const isPatch = (x: unknown): x is InboxPatch => {
  const { trackingIds } = Object(x) as Record<string, unknown>
  return trackingIds === 'ALL' || Array.isArray(trackingIds)
}

export const isAction = (x: unknown): x is Row<KeptAction> => isRow(x) && isPatch((x as KeptAction).patch)

export const isChoices = (x: unknown): x is Row<KeptChoices> => {
  const { choices, seen } = x as KeptChoices
  return isRow(x) && Array.isArray(choices) && Array.isArray(seen)
}
