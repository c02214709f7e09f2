// Reads the unread of types and tags, for all views together: after each change of the inbox, in one request.

import type { ReadableAtom } from 'nanostores'

import type { BaseEnvironment } from '../environment.ts'
import type { Inbox } from '../inbox/reducer.ts'
import { createRetry } from '../retry.ts'
import type { Transport, TypeCounts } from '../transport.ts'
import type { ViewQuery } from '../types.ts'

interface Listener {
  onCounts(counts: TypeCounts): void
  /** The counts are requested again after the back-off. */
  onFailure(error: unknown): void
}

interface TypeCountReader {
  /** Calls the listener with each answer until the returned function is called. */
  follow(query: ViewQuery, listener: Listener): () => void
  /** Requests the counts now, without waiting for the back-off. */
  read(): void
}

interface Options {
  readonly $inbox: ReadableAtom<Inbox>
  readonly environment: Pick<BaseEnvironment, 'after'>
  readonly transport: Pick<Transport, 'getTypeCounts'>
}

export function createTypeCounts({ $inbox, environment, transport }: Options): TypeCountReader {
  const listeners = new Map<Listener, ViewQuery>()
  const retry = createRetry(environment)
  let isReading = false
  let shouldReadAgain = false
  let unlisten: (() => void) | undefined

  const collect = (name: 'tags' | 'types'): readonly string[] => [
    ...new Set([...listeners.values()].flatMap(query => query[name] ?? []))
  ]

  async function readUntilCurrent(): Promise<void> {
    try {
      while (shouldReadAgain && listeners.size > 0) {
        // Views that open in the same task share the request.
        await Promise.resolve()
        shouldReadAgain = false
        const counts = await transport.getTypeCounts(collect('types'), collect('tags'))
        for (const { onCounts } of listeners.keys()) onCounts(counts)
      }
      retry.reset()
    } catch (error) {
      for (const { onFailure } of listeners.keys()) onFailure(error)
      if (listeners.size > 0) retry.schedule(read)
    } finally {
      isReading = false
    }
  }

  function read(): void {
    retry.cancel()
    shouldReadAgain = true
    if (isReading) return
    isReading = true
    void readUntilCurrent()
  }

  return {
    follow(query, listener) {
      listeners.set(listener, query)
      unlisten ??= $inbox.listen(({ version }, before) => {
        if (version !== before?.version && version !== undefined) read()
      })
      read()
      return () => {
        listeners.delete(listener)
        if (listeners.size > 0) return
        retry.cancel()
        unlisten?.()
        unlisten = undefined
      }
    },
    read
  }
}
