// An answer of JSON lines, handed out one by one while it comes in.

import type { CallOptions, Insist } from './call.ts'
import { NotifUnreachable } from './problem.ts'

/** @throws NotifProblem, NotifUnreachable: also in the middle, when the answer ends too early */
export type Lines = <T>(path: readonly string[], options?: CallOptions) => AsyncGenerator<T, void, undefined>

export const openLines = (insist: Insist): Lines =>
  async function* lines<T>(path: readonly string[], options?: CallOptions) {
    const answer = await insist({ method: 'GET', path }, options, async answer => answer)
    const reader = answer.body!.getReader()
    // Of a connection that broke in the meantime, cancelling fails as well: with nobody to tell, that ends a process.
    const leave = () => void reader.cancel(options?.signal?.reason).catch(() => {})
    options?.signal?.addEventListener('abort', leave, { once: true })
    const utf8 = new TextDecoder()
    let rest = ''
    try {
      for (;;) {
        const { done, value } = await next(reader)
        options?.signal?.throwIfAborted()
        rest += done ? utf8.decode() : utf8.decode(value, { stream: true })
        const whole = rest.split('\n')
        rest = done ? '' : whole.pop()!
        for (const line of whole) if (line.trim() !== '') yield parse(line) as T
        if (done) return
      }
    } finally {
      options?.signal?.removeEventListener('abort', leave)
      // Whoever stops in the middle of a loop wants no more of it.
      leave()
    }
  }

const broken = (cause: unknown): NotifUnreachable =>
  new NotifUnreachable('The rest of the answer', {
    attempts: 1,
    cause,
    idempotencyKey: undefined,
    timedOut: false
  })

async function next(reader: ReadableStreamDefaultReader<Uint8Array>) {
  try {
    return await reader.read()
  } catch (cause) {
    throw broken(cause)
  }
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch (cause) {
    throw broken(cause)
  }
}
