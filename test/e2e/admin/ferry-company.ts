// A server as a small ferry company has it after some days: types, people, sends that arrived, failed and wait, and what an hour of
// traffic leaves in the counts. For tests and pictures of the dashboard.

import { bucketOfCounts } from '../../../server/logs/counts.sql.ts'
import { smtpPeer, type Peer } from '../../channels/email/smtp-peer.ts'
import { phonePeer } from '../../channels/sms-call/phone-peer.ts'
import { until } from '../../support/process.ts'
import { CLIENT, openSite, type Site } from '../site.ts'
import { ADMIN_TOKEN } from './sign-in.ts'

/** Types by id. */
const TYPES: Readonly<
  Record<string, { readonly title: string; readonly subject: string; readonly body: string }>
> = {
  boarding_soon: {
    body: 'The {{ boat }} boards at pier {{ pier }} from {{ time }}.',
    subject: 'Boarding begins at {{ time }}',
    title: 'Boarding soon'
  },
  crew_shift: {
    body: 'You are on the {{ boat }} from {{ time }}.',
    subject: 'Your shift on the {{ boat }}',
    title: 'Crew shift'
  },
  harbour_map: {
    body: 'Version {{ pier }} is on display at all piers.',
    subject: 'The harbour map was published',
    title: 'Harbour map'
  },
  ticket_receipt: {
    body: 'Two adults and a bicycle on the {{ boat }}, at {{ time }}.',
    subject: 'Your tickets for the {{ boat }}',
    title: 'Ticket receipt'
  },
  timetable_change: {
    body: 'The {{ boat }} leaves pier {{ pier }} at {{ time }} today. Your ticket stays valid.',
    subject: 'Your 18:40 leaves at {{ time }}',
    title: 'Timetable changes'
  }
}

/** Addresses with a code in them are refused with it. */
const PEOPLE: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'amara.osei': {
    email: 'amara@heron.example',
    locale: 'en',
    number: '+4915123456789',
    timezone: 'Europe/Berlin'
  },
  'bento.silva': { email: 'rcpt-550@harbour.example', locale: 'pt' },
  'ida.berg': { email: 'ida@heron.example', locale: 'sv', number: '+46701234567' },
  'jonas.lind': { email: 'rcpt-550@heron.example', locale: 'de', number: '+4915111111111' },
  'mei.tanaka': { email: 'mei@heron.example', locale: 'ja', number: '+819012345678', timezone: 'Asia/Tokyo' },
  'nour.haddad': { email: 'nour@heron.example', locale: 'ar' },
  'priya.nair': { locale: 'en', number: '+919812345678' },
  'tomas.vidal': { email: 'tomas@heron.example', locale: 'es' }
}

const BOATS = ['Little Tern', 'Grey Heron', 'Kittiwake', 'Lantern']

const templatesOf = ({ body, subject, title }: (typeof TYPES)[string]) => ({
  EMAIL: { html: `<h2>${title}</h2>\n<p>Hello {{ user.id }},</p>\n<p>${body}</p>`, subject },
  INAPP_WEB: { body, title: subject },
  PUSH: { message: body, title: subject },
  SMS: { message: subject },
  'EMAIL@de': {
    html: `<h2>${title}</h2>\n<p>Hallo {{ user.id }},</p>\n<p>die {{ boat }} fährt um {{ time }}.</p>`,
    subject
  }
})

export interface FerryCompany extends AsyncDisposable {
  readonly site: Site
  readonly peer: Peer
  /** Calls a route as an operator. @returns the answer, read */
  call(method: string, path: string, body?: unknown): Promise<unknown>
  send(type: string, userId: string, more?: object): Promise<string>
  /** Of a send whose email was refused. */
  readonly failed: string
}

/** Fills the last hour and a week of days, which nobody can wait for. Call it again for a picture of this minute. */
export async function fillCounts({ db }: Site): Promise<void> {
  for (const group of db.groups) {
    const bucket = bucketOfCounts(group)
    const [environment] = await db.control<{ id: string }[]>`select id from environments order by id limit 1`
    const { id } = environment!
    await group.work`
      insert into log_minutes (bucket, env_id, minute, channel, sent, failed, discarded)
      select ${bucket}, ${id}, date_trunc('minute', now()) - n * interval '1 minute', channel,
        greatest(1, (size * (1 + 0.35 * sin(n / 7.0) + 0.12 * cos(n * 2.3))))::integer, 0, 0
      from generate_series(0, 60 * 24 * 7) n
      cross join (values ('EMAIL', 64), ('INAPP_WEB', 96), ('SMS', 18)) channels (channel, size)
      where n <= 70 or n % 1440 <= 70
      on conflict (bucket, env_id, minute, channel) do update set sent = greatest(log_minutes.sent, excluded.sent)`
    await group.work`
      insert into log_counts (bucket, env_id, day, notification_id, channel, result, count)
      select ${bucket}, ${id}, (now() at time zone 'UTC')::date - d, type, channel, 'sent',
        (300 + 120 * sin(d + length(type)) + 40 * length(type))::integer
      from generate_series(1, 13) d cross join unnest(${Object.keys(TYPES)}::text[]) type
      cross join (values ('EMAIL'), ('INAPP_WEB')) channels (channel)
      on conflict do nothing`
  }
}

/** @param mail - a mail server of the caller; default: one that refuses addresses with a code in them */
export async function openFerryCompany(mail?: Peer): Promise<FerryCompany> {
  await using opened = new AsyncDisposableStack()
  const peer = mail ?? opened.use(await smtpPeer())
  const phones = opened.use(await phonePeer('twilio'))
  const site = opened.use(
    await openSite({
      ...phones.env,
      NOTIF_ADMIN_TOKEN: ADMIN_TOKEN,
      NOTIF_EMAIL_FROM: 'ferries@heron.example',
      NOTIF_SMTP_URL: peer.url
    })
  )
  const call = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const answer = await fetch(site.base + path, {
      body: body === undefined ? null : JSON.stringify(body),
      headers: { authorization: `Bearer ${ADMIN_TOKEN}`, 'content-type': 'application/json' },
      method
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
    return text ? JSON.parse(text) : undefined
  }
  const send = async (type: string, id: string, more: object = {}): Promise<string> => {
    const parameters = { boat: BOATS[id.length % BOATS.length], pier: 3, time: '19:05' }
    const answer = (await call('POST', `/${CLIENT}/sender`, { parameters, to: { id }, type, ...more })) as {
      trackingId: string
    }
    return answer.trackingId
  }

  await Promise.all(
    Object.entries(TYPES).map(([id, type]) =>
      call('PUT', `/${CLIENT}/notifications/${id}`, { templates: templatesOf(type), title: type.title })
    )
  )
  await Promise.all(
    Object.entries(PEOPLE).map(([id, contact]) => call('POST', `/${CLIENT}/users/${id}`, contact))
  )
  await call('POST', `/${CLIENT}/users/amara.osei/preferences`, [
    { channel: 'EMAIL', delivery: 'off', notificationId: 'crew_shift' },
    { channel: 'SMS', delivery: 'off', notificationId: 'harbour_map' }
  ])
  await call('PUT', `/${CLIENT}/partials/signature`, { html: '<p>Heron Ferries, at pier 3</p>' }).catch(
    () => {}
  )
  await fillCounts(site)
  let failed = ''
  const types = Object.keys(TYPES)
  for (const [n, id] of Object.keys(PEOPLE).entries()) {
    for (const step of [0, 1, 3]) {
      const trackingId = await send(types[(n + step) % types.length]!, id)
      if (id === 'jonas.lind') failed = trackingId
    }
  }
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString()
  await send('boarding_soon', 'amara.osei', { schedule: tomorrow })
  await send('harbour_map', 'ida.berg', { schedule: tomorrow })
  await until(async () => {
    const { deadLetters } = (await call('GET', `/${CLIENT}/dead-letters`)) as { deadLetters: unknown[] }
    return deadLetters.length >= 2
  }, 'the refused emails are dead letters')
  const rest = opened.move()
  return { [Symbol.asyncDispose]: () => rest.disposeAsync(), call, failed, peer, send, site }
}
