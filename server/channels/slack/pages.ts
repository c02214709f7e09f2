// Lists of Slack, page by page, read with care: their entries are what a workspace makes of them.

import type { Answered, SlackApi } from './api.ts'

export interface Entry {
  readonly id: string
  /** The name that is shown. */
  readonly name: string
  /** All that it goes by. */
  readonly names: readonly string[]
  readonly deleted: boolean
  readonly bot: boolean
}

export type Page =
  | { readonly ok: true; readonly entries: readonly Entry[]; readonly more: boolean }
  | Extract<Answered, { readonly ok: false }>

/** Entries of one page; Slack advises at most 200. */
const SIZE = '200'

const textsOf = (...values: unknown[]): string[] =>
  values.filter((value): value is string => typeof value === 'string' && value !== '')

/** Undefined for what has no id or no name. */
export function entryOf(value: unknown): Entry | undefined {
  const {
    deleted,
    id,
    is_bot: bot,
    name,
    profile,
    real_name: real
  } = Object(value) as Record<string, unknown>
  const { display_name: shown } = Object(profile) as Record<string, unknown>
  const names = textsOf(name, shown, real)
  if (typeof id !== 'string' || names.length === 0) return undefined
  return { bot: bot === true || id === 'USLACKBOT', deleted: deleted === true, id, name: names[0]!, names }
}

const KEYS = { 'conversations.list': 'channels', 'users.list': 'members' } as const

/** @param limit - most pages */
export async function* pagesOf(
  api: SlackApi,
  method: keyof typeof KEYS,
  {
    token,
    signal,
    ...args
  }: { readonly token: string; readonly signal: AbortSignal; readonly types?: string },
  limit: number
): AsyncGenerator<Page> {
  let cursor = ''
  for (let page = 0; page < limit; page++) {
    const form = new URLSearchParams({
      ...args,
      exclude_archived: 'true',
      limit: SIZE,
      ...(cursor && { cursor })
    })
    const answer = await api.call(method, token, form, signal)
    if (!answer.ok) return yield answer
    const list = answer.json[KEYS[method]]
    const { next_cursor: next } = Object(answer.json['response_metadata']) as Record<string, unknown>
    cursor = typeof next === 'string' ? next : ''
    const entries = (Array.isArray(list) ? list : []).map(entryOf).filter(entry => entry !== undefined)
    yield { entries, more: cursor !== '', ok: true }
    if (cursor === '') return
  }
}
