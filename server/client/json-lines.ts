// Reads an answer of JSON lines and yields each line as it arrives.

import type { CallOptions, RetryingFetch } from './call.ts'
import { NotifUnreachable } from './problem.ts'

/** @throws NotifProblem; NotifUnreachable, also after the first lines if the answer ends too early */
export type JsonLines = <T>(
  path: readonly string[],
  options?: CallOptions,
  query?: Readonly<Record<string, string | number | undefined>>
) => AsyncGenerator<T, void, undefined>

export const openJsonLines = (retryingFetch: RetryingFetch): JsonLines =>
  async function* jsonLines<T>(
    path: readonly string[],
    options?: CallOptions,
    query: Readonly<Record<string, string | number | undefined>> = {}
  ) {
    const response = await retryingFetch({ method: 'GET', path, query }, options, async response => response)
    const reader = response.body!.getReader()
    // Cancelling fails if the connection is broken by now. Without `catch` that unhandled rejection would end the process.
    const cancel = () => void reader.cancel(options?.signal?.reason).catch(() => {})
    options?.signal?.addEventListener('abort', cancel, { once: true })
    const utf8 = new TextDecoder()
    let rest = ''
    try {
      for (;;) {
        const { done, value } = await readChunk(reader)
        options?.signal?.throwIfAborted()
        rest += done ? utf8.decode() : utf8.decode(value, { stream: true })
        const lines = rest.split('\n')
        rest = done ? '' : lines.pop()!
        for (const line of lines) if (line.trim() !== '') yield parse(line) as T
        if (done) return
      }
    } finally {
      options?.signal?.removeEventListener('abort', cancel)
      // Also reached when the caller leaves its loop early.
      cancel()
    }
  }

const brokenOff = (cause: unknown): NotifUnreachable =>
  new NotifUnreachable('The rest of the answer', {
    attempts: 1,
    cause,
    idempotencyKey: undefined,
    timedOut: false
  })

async function readChunk(reader: ReadableStreamDefaultReader<Uint8Array>) {
  try {
    return await reader.read()
  } catch (cause) {
    throw brokenOff(cause)
  }
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch (cause) {
    throw brokenOff(cause)
  }
}
