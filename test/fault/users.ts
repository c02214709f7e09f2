// Creates users with an address on every channel.

import assert from 'node:assert/strict'

import { CLIENT, SECRET } from '../process/send-and-read.ts'
import { until } from '../support/process.ts'

const AUTHORIZATION = `Basic ${Buffer.from(`${CLIENT}:${SECRET}`).toString('base64')}`

/** Body of a send to the inbox and to every channel with a provider. */
export const sendToAllChannels = (key: string, user: number): string =>
  JSON.stringify({
    call: { message: key },
    email: { html: `<p>${key}</p>`, subject: key },
    forceChannels: ['EMAIL', 'INAPP_WEB', 'SMS', 'CALL', 'PUSH', 'WEB_PUSH'],
    inapp: { title: key },
    mobile_push: { message: key, title: key },
    sms: { message: key },
    to: { email: `user${user}@example.com`, id: `user${user}`, number: `+1202555${1000 + user}` },
    type: 'chaos',
    web_push: { message: key, title: key }
  })

/**
 * Gives every user a phone of each kind and a browser. On a busy machine a node may not be thought ready for a while.
 *
 * @param subscription - of a user's browser
 */
export async function introduce(
  base: string,
  users: number,
  subscription: (user: number) => object
): Promise<void> {
  for (let user = 0; user < users; user += 1) {
    const pushTokens = ['APN', 'FCM'].map(type => ({
      device: { device_id: `${type}-phone${user}` },
      token: `${type}-token${user}`,
      type
    }))
    const webPushTokens = [{ sub: subscription(user) }]
    const isKnown = async (): Promise<boolean> => {
      const answer = await fetch(`${base}/${CLIENT}/users/user${user}`, {
        body: JSON.stringify({ id: `user${user}`, pushTokens, webPushTokens }),
        headers: { authorization: AUTHORIZATION },
        method: 'POST',
        signal: AbortSignal.timeout(10_000)
      })
      const text = await answer.text()
      if (!answer.ok && answer.status !== 503) assert.fail(`user${user}: ${answer.status} ${text}`)
      return answer.ok
    }
    const orNot = (error: unknown): boolean => {
      if (error instanceof assert.AssertionError) throw error
      return false
    }
    await until(() => isKnown().catch(orNot), `user${user} is known`)
  }
}
