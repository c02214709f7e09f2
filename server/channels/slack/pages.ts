// Reads Slack's lists of channels and members page by page.
//
// https://api.slack.com/docs/pagination

import type { SlackApi, SlackResult } from './api.ts'

export interface Entry {
  readonly id: string
  /** The first of {@link names}. */
  readonly name: string
  readonly names: readonly string[]
  readonly isDeleted: boolean
  readonly isBot: boolean
}

export type Page =
  | { readonly ok: true; readonly entries: readonly Entry[]; readonly hasMore: boolean }
  | Extract<SlackResult, { readonly ok: false }>

/** Slack recommends at most 200 entries. */
const PAGE_SIZE = '200'

/** Accepts any value, because workspaces and apps control the entries. @returns undefined if it has no id or no name */
export function parseEntry(value: unknown): Entry | undefined {
  const { deleted, id, is_bot, name, profile, real_name } = Object(value) as Record<string, unknown>
  const { display_name } = Object(profile) as Record<string, unknown>
  const names = [name, display_name, real_name].filter(text => typeof text === 'string' && text !== '')
  if (typeof id !== 'string' || names.length === 0) return undefined
  return {
    id,
    isBot: is_bot === true || id === 'USLACKBOT',
    isDeleted: deleted === true,
    name: names[0] as string,
    names: names as string[]
  }
}

const LIST_KEYS = { 'conversations.list': 'channels', 'users.list': 'members' } as const

export async function* listPages(
  api: SlackApi,
  method: keyof typeof LIST_KEYS,
  {
    token,
    signal,
    ...args
  }: { readonly token: string; readonly signal: AbortSignal; readonly types?: string },
  maxPages: number
): AsyncGenerator<Page> {
  let cursor = ''
  for (let page = 0; page < maxPages; page++) {
    const form = new URLSearchParams({
      ...args,
      exclude_archived: 'true',
      limit: PAGE_SIZE,
      ...(cursor && { cursor })
    })
    const answer = await api.call(method, token, form, signal)
    if (!answer.ok) return yield answer
    const list = answer.json[LIST_KEYS[method]]
    const { next_cursor: next } = Object(answer.json['response_metadata']) as Record<string, unknown>
    cursor = typeof next === 'string' ? next : ''
    const entries = (Array.isArray(list) ? list : []).map(parseEntry).filter(entry => entry !== undefined)
    yield { entries, hasMore: cursor !== '', ok: true }
    if (cursor === '') return
  }
}
