// What attacks share: the victim, requests, and the ways to see that an attack failed.

import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { isDeepStrictEqual } from 'node:util'

import {
  asBackEnd,
  basic,
  contents,
  OTHER,
  OTHER_SECRET,
  type Answer,
  type Asked,
  type TestApp
} from '../app.ts'

export type Attack = readonly [name: string, run: (app: TestApp) => Promise<void>]

/** The victim has one notification, an email address and no other data. The attacker is another user of the environment. */
export const VICTIM = 'victim'
export const ATTACKER = 'attacker'

export const asOther = basic(`${OTHER}:${OTHER_SECRET}`)

export const post = (body: unknown, headers: Readonly<Record<string, string>> = asBackEnd): Asked => ({
  body: typeof body === 'string' ? body : JSON.stringify(body),
  headers: { 'content-type': 'application/json', ...headers },
  method: 'POST'
})
export const sendTo = (more: object, headers?: Readonly<Record<string, string>>): Asked =>
  post({ to: { email: 'v@example.com', id: VICTIM }, type: 'news', ...more }, headers)

/** The queues may change tables by themselves during a request, but hardly during each of so many. */
const MAX_TRIES = 3

/** Answered with one of the statuses; no table changes. */
export const refused =
  (path: string, asked: Asked, statuses: readonly number[], more?: (answer: Answer) => void) =>
  async (app: TestApp): Promise<void> => {
    for (let tries = 1; ; tries += 1) {
      const before = await contents(app)
      const answer = await app.ask(path, asked)
      assert.ok(statuses.includes(answer.status), `${answer.status} ${answer.text.slice(0, 300)}`)
      more?.(answer)
      const after = await contents(app)
      if (isDeepStrictEqual(after, before)) return
      if (tries === MAX_TRIES) assert.deepEqual(after, before)
    }
  }

/** Sends bytes as they are. @returns everything that the server answers until it closes, or for `waitMs` */
export async function sendBytes({ port }: TestApp, bytes: string | Buffer, waitMs = 1_000): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  let text = ''
  socket.on('error', () => {})
  socket.setEncoding('latin1').on('data', (data: string) => (text += data))
  socket.setTimeout(waitMs, () => socket.destroy())
  socket.write(bytes)
  await new Promise(resolve => void socket.on('close', resolve))
  return text
}

/** The processor time of the request stays small; the server answers others meanwhile. */
export const quick =
  (path: string, asked: Asked, maxMs = 1_000): Attack[1] =>
  async app => {
    const { cpuUsage } = process
    const before = cpuUsage()
    const answer = await app.ask(path, asked)
    const { system, user } = cpuUsage(before)
    assert.ok(answer.status < 500, `${answer.status} ${answer.text.slice(0, 200)}`)
    assert.ok((system + user) / 1000 < maxMs, `${(system + user) / 1000} ms`)
  }
