// Saves the audit log as JSON lines, page by page.

import type { AdminScope } from '../api/scope.ts'
import { listAudit } from '../api/settings.ts'
import { take } from './orders.ts'

/** A file with more would be a job for a back end. */
const MAX_PAGES = 200

export async function orderAudit(scope: AdminScope, all: boolean): Promise<void> {
  const lines: string[] = []
  let before: string | null = null
  for (let count = 0; count < MAX_PAGES; count++) {
    const answer: Awaited<ReturnType<typeof listAudit>> = await listAudit(scope, { all, before })
    const page = take(answer)
    if (!page) return
    for (const entry of page.entries) lines.push(JSON.stringify(entry))
    before = page.next ?? null
    if (before === null) break
  }
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([`${lines.join('\n')}\n`], { type: 'application/jsonl' }))
  link.download = `audit-${scope.clientId}.jsonl`
  link.click()
  URL.revokeObjectURL(link.href)
}
