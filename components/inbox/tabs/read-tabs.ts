// Reads the tabs of the page: `tabs='[{"label":"Mentions","types":["mention"]}]'`.

import { warnInvalid } from '../../core/validate.ts'
import type { InboxElement, InboxTab } from '../base/inbox-element.ts'

const MAX_TABS = 20
/** Types and tags of all tabs together: the server counts no more in one request. */
const MAX_NAMES = 50
const EXPECTED = `at most ${MAX_TABS} objects with a label, and types or tags, of which there are at most ${MAX_NAMES}`

const isListOfTexts = (value: unknown): boolean =>
  value === undefined || (Array.isArray(value) && value.every(text => typeof text === 'string'))

const isTab = (value: unknown): value is InboxTab => {
  const { label, tags, types } = Object(value) as Record<keyof InboxTab, unknown>
  return (
    typeof label === 'string' &&
    label !== '' &&
    isListOfTexts(types) &&
    isListOfTexts(tags) &&
    (types !== undefined || tags !== undefined)
  )
}

function parse(value: unknown): unknown {
  if (typeof value !== 'string') return value
  try {
    return JSON.parse(value)
  } catch {
    return undefined
  }
}

/** Returns none of them if one is wrong. */
export function readTabs(host: InboxElement): readonly InboxTab[] {
  const { tabs } = host
  if (tabs === undefined || tabs === null || tabs === '') return []
  const list = parse(tabs)
  if (Array.isArray(list) && list.length <= MAX_TABS && list.every(isTab)) {
    const names = list.flatMap(tab => [...(tab.types ?? []), ...(tab.tags ?? [])])
    if (names.length <= MAX_NAMES) return list
  }
  warnInvalid(host, 'tabs', tabs, EXPECTED)
  return []
}
