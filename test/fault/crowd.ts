// The users of the storm: each has every address that a message of it goes to.

import { CLIENT, SECRET } from '../process/call.ts'

const AUTHORIZATION = `Basic ${Buffer.from(`${CLIENT}:${SECRET}`).toString('base64')}`

/** Of a send to every channel that has a provider, and to the inbox. */
export const stormSend = (key: string, user: number): string =>
  JSON.stringify({
    call: { message: key },
    email: { html: `<p>${key}</p>`, subject: key },
    forceChannels: ['EMAIL', 'INAPP_WEB', 'SMS', 'CALL', 'PUSH'],
    inapp: { title: key },
    mobile_push: { message: key, title: key },
    sms: { message: key },
    to: { email: `user${user}@example.com`, id: `user${user}`, number: `+1202555${1000 + user}` },
    type: 'chaos'
  })

/** Gives every user a phone that takes pushes. */
export async function introduce(base: string, users: number): Promise<void> {
  for (let user = 0; user < users; user += 1) {
    const token = { device: { device_id: `phone${user}` }, token: `token${user}`, type: 'FCM' }
    const answer = await fetch(`${base}/${CLIENT}/users/user${user}`, {
      body: JSON.stringify({ id: `user${user}`, pushTokens: [token] }),
      headers: { authorization: AUTHORIZATION },
      method: 'POST',
      signal: AbortSignal.timeout(10_000)
    })
    if (!answer.ok) throw new Error(`user${user}: ${answer.status} ${await answer.text()}`)
  }
}
