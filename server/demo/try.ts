// What a reader of the reference tries: a send or its simulation, to a person of the demo.

import { z } from 'zod'

import { PEOPLE } from '../../demo/people.ts'

const TIMEOUT_MS = 10_000

const PATHS = { send: 'sender', simulate: 'simulate' } as const

/** No addresses: everybody who sees the demo may send, so only its people get something. */
export const trial = z.strictObject({
  body: z.strictObject({
    inapp: z.record(z.string(), z.unknown()).optional(),
    parameters: z.record(z.string(), z.unknown()).optional(),
    to: z.strictObject({ id: z.enum(PEOPLE.map(({ id }) => id)) }),
    type: z.string().min(1).max(100)
  }),
  key: z.string().min(1).max(255).optional(),
  operation: z.enum(['send', 'simulate'])
})

interface Server {
  readonly base: string
  readonly clientId: string
  readonly secret: string
}

export interface TrialAnswer {
  readonly status: number
  readonly milliseconds: number
  readonly body: unknown
}

/** Sends the request as the back end of the demo. */
export async function tryRequest(
  { body, key, operation }: z.output<typeof trial>,
  { base, clientId, secret }: Server
): Promise<TrialAnswer> {
  const start = performance.now()
  const answer = await fetch(`${base}/${clientId}/${PATHS[operation]}`, {
    body: JSON.stringify(operation === 'simulate' ? { send: body } : body),
    headers: {
      authorization: `Basic ${Buffer.from(`${clientId}:${secret}`).toString('base64')}`,
      'content-type': 'application/json',
      ...(key !== undefined && { 'idempotency-key': key })
    },
    method: 'POST',
    signal: AbortSignal.timeout(TIMEOUT_MS)
  })
  const text: unknown = await answer.json()
  return { body: text, milliseconds: Math.round(performance.now() - start), status: answer.status }
}
