// Reads the body of an answer within its byte budget, collects it or passes it on, and never decompresses it.

import type { IncomingMessage } from 'node:http'

import { OutboundError } from './failure.ts'

export interface Budget {
  left: number
}

export type OnPart = (part: Buffer) => Promise<void>

/** The receiver of the body threw an error, which is its cause. */
export class OnPartError extends Error {}

async function passOn(onPart: OnPart, part: Buffer): Promise<void> {
  try {
    await onPart(part)
  } catch (cause) {
    throw new OnPartError('The receiver of the answer failed.', { cause })
  }
}

/** @throws OutboundError, or OnPartError with an error of `onPart` as its cause */
export async function readAnswerBody(
  response: IncomingMessage,
  budget: Budget,
  onPart: OnPart | undefined
): Promise<Buffer> {
  if (onPart && response.statusCode !== 200) return Buffer.alloc(0)
  const encoding = response.headers['content-encoding'] ?? 'identity'
  // A small compressed body could decompress to a huge one.
  if (encoding !== 'identity')
    throw new OutboundError('encoding', 'The answer is compressed, which was not requested.')
  const tooLarge = () => new OutboundError('too-large', 'The answer is larger than allowed.')
  if (Number(response.headers['content-length']) > budget.left) throw tooLarge()
  const chunks: Buffer[] = []
  // Node throws for a body that ends early.
  for await (const chunk of response as AsyncIterable<Buffer>) {
    budget.left -= chunk.length
    if (budget.left < 0) throw tooLarge()
    if (onPart) await passOn(onPart, chunk)
    else chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
