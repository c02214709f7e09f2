// Starts a server whose provider of SMS and calls posts callbacks.

import type { PhoneProviderName } from '../../../server/config/phone.ts'
import type { Clock } from '../../../server/core/clock.ts'
import { asBackEnd, CLIENT, startApp, type Answer, type TestApp } from '../../security/app.ts'
import { phonePeer, type PhonePeer } from './phone-peer.ts'
import { REPORTS, type Posted, type Said } from './phone-reports.ts'

export const PUBLIC = 'https://notify.example.com'
export const NUMBER = '+12025551000'

export interface World {
  readonly app: TestApp
  readonly peer: PhonePeer
  send(body: object): Promise<Answer>
  /** @param path - below the prefix of the provider */
  post(path: string, posted: Posted): Promise<Answer>
  report(path: string, said: Said): Promise<Answer>
}

/** @param clock - clock of the database. Default: that of the system */
export async function inWorld(
  name: PhoneProviderName,
  work: (world: World) => Promise<void>,
  clock?: Clock
): Promise<void> {
  await using peer = await phonePeer(name)
  await using app = await startApp(peer.env, clock)
  const post: World['post'] = (path, { body, headers }) =>
    app.ask(`/callbacks/${name}/${path}`, { body, headers, method: 'POST' })
  await work({
    app,
    peer,
    post,
    report: (path, said) => post(path, REPORTS[name](`${PUBLIC}/callbacks/${name}/${path}`, said)),
    async send(body) {
      const answer = await app.ask(`/${CLIENT}/sender`, {
        body: JSON.stringify({ to: { id: 'amara', number: NUMBER }, type: 'hello', ...body }),
        headers: asBackEnd,
        method: 'POST'
      })
      await Promise.all([app.queues.idle('SMS'), app.queues.idle('CALL')])
      return answer
    }
  })
}

export const identify = ({ app }: World): Promise<Answer> =>
  app.ask(`/${CLIENT}/users/amara`, {
    body: JSON.stringify({ number: NUMBER }),
    headers: asBackEnd,
    method: 'POST'
  })
