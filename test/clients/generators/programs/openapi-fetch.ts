// What a back end does with the types of openapi-typescript and the client of openapi-fetch.

import createClient from 'openapi-fetch'

import type { Outcome, Settings } from './outcome'
import type { components, paths } from './schema'

type SendBody = components['schemas']['SendBody']

const SEND = {
  inapp: { title: '{{ author }} commented' },
  parameters: { author: 1 },
  type: 'comment'
}

// @ts-expect-error - a send needs a type
export const WITHOUT_TYPE: SendBody = { to: { id: 'u1' } }
// @ts-expect-error - a send needs a user
export const WITHOUT_USER: SendBody = { type: 'comment' }
export const WITH_FORMER_NAMES: SendBody = {
  mergeTags: { n: 1 },
  notificationId: 'comment',
  user: { id: 'u1' }
}
export const TO_A_LIST: SendBody = { to: [{ id: 'u1', parameters: { n: 1 } }, { id: 'u2' }], type: 'comment' }

export async function run({
  adminToken,
  baseUrl,
  clientId,
  clientSecret,
  later,
  userId
}: Settings): Promise<Outcome> {
  const client = createClient<paths>({
    baseUrl,
    headers: { authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}` }
  })
  const operator = createClient<paths>({ baseUrl, headers: { authorization: `Bearer ${adminToken}` } })
  const user = { clientId, userId }

  const sent = await client.POST('/{clientId}/sender', {
    body: { ...SEND, to: { id: userId } },
    params: { path: { clientId } }
  })
  if (!sent.data || !('trackingId' in sent.data)) throw new Error(JSON.stringify(sent.error))
  const inbox = await client.GET('/{clientId}/users/{userId}/inbox', { params: { path: user } })
  const scheduled = await client.POST('/{clientId}/sender', {
    body: { ...SEND, schedule: later, to: { id: userId } },
    params: { path: { clientId } }
  })
  if (!scheduled.data || !('trackingId' in scheduled.data)) throw new Error(JSON.stringify(scheduled.error))
  const { trackingId } = scheduled.data
  const schedule = await client.GET('/{clientId}/schedule/{trackingId}', {
    params: { path: { clientId, trackingId } }
  })
  await client.POST('/{clientId}/users/{userId}/preferences', {
    body: [{ channel: 'INAPP_WEB', delivery: 'off', notificationId: 'comment' }],
    params: { path: user }
  })
  const preferences = await client.GET('/{clientId}/users/{userId}/preferences', { params: { path: user } })
  const logs = await client.POST('/{clientId}/logs/query', {
    body: { trackingIds: [sent.data.trackingId] },
    params: { path: { clientId } }
  })
  const environment = await operator.POST('/environments', { body: { title: 'Staging' } })
  const created = await operator.GET('/environments/{clientId}', {
    params: { path: { clientId: environment.data?.clientId ?? '' } }
  })
  const lines = await client.GET('/{clientId}/users/{userId}/export', {
    params: { path: user },
    parseAs: 'text'
  })
  const misspelt = await client.GET('/{clientId}/users/{userId}/inbox', {
    // @ts-expect-error - there is no such parameter
    params: { path: user, query: { coutn: 1 } }
  })
  return {
    delivery: preferences.data?.preferences.find(one => one.channel === 'INAPP_WEB')?.delivery,
    environment: created.data?.title,
    exportsUser: lines.data?.includes('"table":"users"'),
    problem: misspelt.error?.status,
    routing: logs.data?.logs[0]?.inapp_routing,
    schedule: schedule.data?.schedule,
    title: inbox.data?.items[0]?.title
  }
}
