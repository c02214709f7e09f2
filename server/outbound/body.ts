// The body of an answer from outside: counted while it arrives, collected or handed on, never inflated.

import type { IncomingMessage } from 'node:http'

import { Failure } from './failure.ts'

export interface Budget {
  left: number
}

export type Take = (piece: Buffer) => Promise<void>

/** What is our own fault, not the answer's. */
export class TakeFailed extends Error {}

async function taken(take: Take, piece: Buffer): Promise<void> {
  try {
    await take(piece)
  } catch (cause) {
    throw new TakeFailed('The answer could not be taken.', { cause })
  }
}

/** @throws Failure, and what `take` throws */
export async function bodyOf(
  response: IncomingMessage,
  budget: Budget,
  take: Take | undefined
): Promise<Buffer> {
  if (take && response.statusCode !== 200) return Buffer.alloc(0)
  const encoding = response.headers['content-encoding'] ?? 'identity'
  // Nothing is inflated: a small body cannot become a large one.
  if (encoding !== 'identity')
    throw new Failure('encoding', 'The answer is compressed, which was not asked for.')
  const tooLarge = () => new Failure('too-large', 'The answer is larger than allowed.')
  if (Number(response.headers['content-length']) > budget.left) throw tooLarge()
  const chunks: Buffer[] = []
  // One that is cut short throws by itself: Node ends only what is whole.
  for await (const chunk of response as AsyncIterable<Buffer>) {
    budget.left -= chunk.length
    if (budget.left < 0) throw tooLarge()
    if (take) await taken(take, chunk)
    else chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
