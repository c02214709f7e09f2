// One send and one look at an inbox, as a back-end and a front end make them.

import { createHmac } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'

import type { ServerProcess } from '../support/process.ts'

export const CLIENT = 'my-app'
export const SECRET = 'my-secret-0123456789'

/** Settings that make {@link send} and {@link inbox} work on any server. */
export const OWN_KEYS = { NOTIF_CLIENT_ID: CLIENT, NOTIF_CLIENT_SECRET: SECRET }

const basic = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString('base64')}` })

export function send(
  { base }: Pick<ServerProcess, 'base'>,
  title: string,
  key?: string,
  { parameters = {}, timeoutMs = 10_000 } = {}
): Promise<Response> {
  return fetch(`${base}/${CLIENT}/sender`, {
    body: JSON.stringify({ inapp: { title }, parameters, to: { id: 'u1' }, type: 'greeting' }),
    headers: { ...basic(`${CLIENT}:${SECRET}`), ...(key !== undefined && { 'idempotency-key': key }) },
    method: 'POST',
    signal: AbortSignal.timeout(timeoutMs)
  })
}

export interface Inbox {
  readonly counts: { readonly unopened: number; readonly unarchived: number }
  readonly items: readonly { readonly title: string }[]
}

/** The user's list; a 503 is asked again, as a client does: a connection may have died with the database. */
export async function inbox({ base }: Pick<ServerProcess, 'base'>): Promise<Inbox> {
  const hash = createHmac('sha256', SECRET).update('u1').digest('base64')
  for (let tries = 0; ; tries++) {
    const answer = await fetch(`${base}/${CLIENT}/users/u1/inbox?count=1000`, {
      headers: basic(`${CLIENT}:u1:${hash}`),
      signal: AbortSignal.timeout(10_000)
    })
    const said = await answer.text()
    if (answer.ok) return JSON.parse(said) as Inbox
    if (answer.status !== 503 || tries === 10) throw new Error(`The inbox answered ${answer.status}: ${said}`)
    await pause(100 * 2 ** Math.min(tries, 5))
  }
}
