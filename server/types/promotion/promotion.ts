// Plans the promotion of a type to another environment: the type, and the layouts and partials that its templates use. Pure.

import type { PartialKind } from '../partials/partials.sql.ts'
import type { TemplateRow } from '../template-rows.ts'
import { listUsedPartials, type Partials } from '../templates/expand.ts'

export interface UsedPartial {
  readonly kind: PartialKind
  readonly id: string
}

const keyOf = ({ id, kind }: UsedPartial): string => `${kind}/${id}`

/** Layouts and partials that texts use, directly or through others, each once. */
export function findUsedPartials(texts: Iterable<string>, partials: Partials): UsedPartial[] {
  const found = new Map<string, UsedPartial>()
  const waiting = [...texts]
  for (let text = waiting.pop(); text !== undefined; text = waiting.pop()) {
    for (const used of listUsedPartials(text)) {
      if (found.has(keyOf(used))) continue
      found.set(keyOf(used), used)
      const inner = partials[used.kind].get(used.id)
      if (inner !== undefined) waiting.push(inner)
    }
  }
  return [...found.values()].toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
}

/** All texts of templates, also those within lists. */
export function textsOf(templates: readonly Pick<TemplateRow, 'content'>[]): string[] {
  const texts: string[] = []
  const add = (value: unknown): void => {
    if (typeof value === 'string') texts.push(value)
    else if (typeof value === 'object' && value !== null) Object.values(value).forEach(add)
  }
  for (const { content } of templates) add(content)
  return texts
}

/** The partial itself, and all layouts and partials that use it, directly or through others. */
export function findUsers(changed: UsedPartial, partials: Partials): UsedPartial[] {
  const all = (['layouts', 'partials'] as const).flatMap(kind =>
    [...partials[kind]].map(([id, text]) => ({ id, kind, uses: listUsedPartials(text).map(keyOf) }))
  )
  const users = new Map([[keyOf(changed), changed]])
  for (let before = 0; before < users.size;) {
    before = users.size
    for (const { id, kind, uses } of all) {
      if (uses.some(key => users.has(key))) users.set(keyOf({ id, kind }), { id, kind })
    }
  }
  return [...users.values()]
}
