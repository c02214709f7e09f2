// What a back end does with the client that @hey-api/openapi-ts generates.

import * as api from './generated'
import { createClient, createConfig } from './generated/client'
import type { Outcome, Settings } from './outcome'

const SEND = {
  inapp: { title: '{{ author }} commented' },
  parameters: { author: 1 },
  type: 'comment'
}

// @ts-expect-error - a send needs a type
export const WITHOUT_TYPE: api.SendBody = { to: { id: 'u1' } }
// @ts-expect-error - a send needs a user
export const WITHOUT_USER: api.SendBody = { type: 'comment' }
export const WITH_FORMER_NAMES: api.SendBody = {
  mergeTags: { n: 1 },
  notificationId: 'comment',
  user: { id: 'u1' }
}

export async function run({
  adminToken,
  baseUrl,
  clientId,
  clientSecret,
  later,
  userId
}: Settings): Promise<Outcome> {
  const client = createClient(
    createConfig({ baseUrl, headers: { authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}` } })
  )
  const operator = createClient(createConfig({ baseUrl, headers: { authorization: `Bearer ${adminToken}` } }))
  const user = { clientId, userId }

  const sent = await api.send({ body: { ...SEND, to: { id: userId } }, client, path: { clientId } })
  if (!sent.data || !('trackingId' in sent.data)) throw new Error(JSON.stringify(sent.error))
  const inbox = await api.readInbox({ client, path: user })
  const scheduled = await api.send({
    body: { ...SEND, schedule: later, to: { id: userId } },
    client,
    path: { clientId }
  })
  if (!scheduled.data || !('trackingId' in scheduled.data)) throw new Error(JSON.stringify(scheduled.error))
  const { trackingId } = scheduled.data
  const schedule = await api.getSchedule({ client, path: { clientId, trackingId } })
  await api.updatePreferences({
    body: [{ channel: 'INAPP_WEB', delivery: 'off', notificationId: 'comment' }],
    client,
    path: user
  })
  const preferences = await api.getPreferences({ client, path: user })
  const logs = await api.queryLogs({
    body: { trackingIds: [sent.data.trackingId] },
    client,
    path: { clientId }
  })
  const environment = await api.createEnvironment({ body: { title: 'Staging' }, client: operator })
  const created = await api.getEnvironment({
    client: operator,
    path: { clientId: environment.data?.clientId ?? '' }
  })
  const lines = await api.exportUser({ client, parseAs: 'text', path: user })
  const misspelt = await api.readInbox({
    client,
    path: user,
    // @ts-expect-error - there is no such parameter
    query: { coutn: 1 }
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
