// Reads the content of the inbox item of a send.

import type { Query } from '../../db/db.ts'
import type { SendFacts } from '../../logs/delivery-facts.ts'

/** @returns undefined if the item was removed */
export async function readItemContent(
  query: Query,
  { bucket, envId, id, userId }: Pick<SendFacts, 'bucket' | 'envId' | 'id' | 'userId'>
): Promise<Readonly<Record<string, unknown>> | undefined> {
  const [row] = await query<{ content: Readonly<Record<string, unknown>> }[]>`
    select content from inbox_items
    where bucket = ${bucket} and env_id = ${envId} and user_id = ${userId} and id = ${id} and not removed`
  return row?.content
}
