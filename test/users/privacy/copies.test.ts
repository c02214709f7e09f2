// The erasure of a user removes their email address from the copies of emails to others.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'

import { findCopies } from '../../../server/users/privacy/copies.sql.ts'
import { asBackEnd, basic, CLIENT, OTHER, OTHER_SECRET, startApp, type TestApp } from '../../security/app.ts'
import { plainPostgresOnly } from '../../support/plain-postgres.ts'

const ADA = 'Ada.Lovelace@example.com'
const OLD = 'ada-at-school@example.com'

let app: TestApp
before(async () => {
  app = await startApp()
})
after(() => app[Symbol.asyncDispose]())

async function call(method: string, path: string, body?: unknown, client = CLIENT) {
  const headers = client === CLIENT ? asBackEnd : basic(`${OTHER}:${OTHER_SECRET}`)
  const answer = await app.ask(`/${client}/${path}`, {
    headers,
    method,
    ...(body !== undefined && { body: JSON.stringify(body) })
  })
  assert.ok(answer.status < 300, `${method} ${path}: ${answer.text}`)
  return answer.json
}

const send = (to: string, more: object, client?: string) =>
  call(
    'POST',
    'sender',
    {
      email: { html: '<p>Hello</p>', subject: 'Hello' },
      parameters: { order: 12 },
      to: { email: `${to}@example.com`, id: to },
      type: 'invoice',
      ...more
    },
    client
  )
const copies = (ccAddresses: readonly string[], bccAddresses: readonly string[] = []) => ({
  options: { email: { bccAddresses, ccAddresses } }
})
const tomorrow = () => new Date(Date.now() + 86_400_000).toISOString()

/** Tables and environments whose rows name an address. */
async function traces(address: string): Promise<string[]> {
  const { control } = app.db
  const tables = await control<{ name: string }[]>`
    select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'env_id'
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition order by 1`
  const found: string[] = []
  for (const { name } of tables) {
    const rows = await control<{ envId: string }[]>`
      select distinct env_id as "envId" from ${control(name)} t where t::text ilike ${`%${address}%`} order by 1`
    found.push(...rows.map(({ envId }) => `${name} of ${envId}`))
  }
  return found
}

test('removes the address from log, queue, schedules, digests, dead letters and sandbox', async () => {
  const { control } = app.db
  await call('POST', 'users/ada', { email: ADA })
  await send('ada', { to: { email: OLD, id: 'ada' } })
  await send('bo', copies(['Cleo <cleo@example.com>', `"Lovelace, Ada" <${ADA}>`], [ADA.toLowerCase()]))
  await app.queues.idle('EMAIL')
  await send('bo', { ...copies([OLD]), schedule: tomorrow() })
  // A schedule outlives the log.
  const late = await send('bo', { ...copies([ADA.toUpperCase()]), schedule: tomorrow() })
  await control`delete from sends where bucket >= 0 and id = ${String(late['trackingId'])}`
  await call('PUT', 'notifications/summary', {
    templates: { email: { html: '<p>Hello</p>', subject: 'Hello' } }
  })
  await call('POST', 'users/bo/preferences', [
    { channel: 'EMAIL', delivery: 'daily', notificationId: 'summary' }
  ])
  await send('bo', { ...copies(['cleo@example.com', ADA]), email: undefined, type: 'summary' })
  await control`
    insert into dead_letters (bucket, id, queue, claim_count, env_id, user_id, send_id, body, code)
    select bucket, id, 'EMAIL', 1, env_id, user_id, id,
      jsonb_build_object('send', body, 'deliveredTo', jsonb_build_array(${ADA}::text), 'big', 12345678901234567890), 'x'
    from sends where bucket >= 0 and body #> '{options,email,ccAddresses}' @> ${control.json([ADA])}`
  await send('bo', copies([ADA]), OTHER)
  await send('bo', copies([`not-${ADA}`]))

  const before = await traces('ada')
  for (const table of ['dead_letters', 'digest_items', 'outbox', 'sandbox_messages', 'sends', 'users'])
    assert.ok(
      before.includes(`${table} of ${CLIENT}`),
      `the test leaves nothing in ${table}: ${before.join()}`
    )

  const erased = await call('DELETE', 'users/ada')
  const redacted = erased['redacted'] as Record<string, number>
  assert.deepEqual(Object.keys(redacted).toSorted(), [
    'dead_letters',
    'digest_items',
    'outbox',
    'sandbox_messages',
    'sends'
  ])
  assert.deepEqual(await call('GET', `erasures/${String(erased['erasureId'])}`), erased)
  for (const address of [`<${ADA}`, `"${ADA}`, OLD])
    assert.deepEqual(
      (await traces(address)).filter(place => place.endsWith(CLIENT)),
      [],
      address
    )
  assert.ok((await traces(`"${ADA}`)).includes(`sends of ${OTHER}`), 'another environment keeps its own')
  assert.ok((await traces(`not-${ADA}`)).includes(`sends of ${CLIENT}`), 'another address stays')
  assert.ok((await traces('Cleo <cleo@example.com>')).includes(`sends of ${CLIENT}`), 'other copies stay')
  const [letter] = await control<
    { big: string }[]
  >`select body ->> 'big' as big from dead_letters where bucket >= 0`
  assert.equal(letter?.big, '12345678901234567890')
})

test('a person without a user is found by the address as the user id', async () => {
  await send('dan', copies(['guest@example.com']))
  await app.queues.idle('EMAIL')
  assert.deepEqual(await call('DELETE', 'users/guest%40example.com'), {
    redacted: { sandbox_messages: 1, sends: 1 },
    removed: {}
  })
})

const plans = plainPostgresOnly('it reads plans')
test('finds the copies by indexes', { skip: plans }, async () => {
  const { work } = app.db.groups[0]!
  await work`
    insert into sends (bucket, id, env_id, user_id, notification_id, body)
    select i % 1024, overlay(uuid_at(now())::text placing lpad(to_hex(i), 12, '0') from 25)::uuid, ${CLIENT}, 'u', 'news',
      case when i % 100 = 0 then jsonb_build_object('options', jsonb_build_object('email',
        jsonb_build_object('ccAddresses', jsonb_build_array('u' || i || '@example.com')))) else '{}' end
    from generate_series(1, 20000) i`
  await work`
    insert into outbox (bucket, id, env_id, user_id, queue, body)
    select bucket, id, env_id, user_id, 'SCHEDULE', jsonb_build_object('send', body) from sends where notification_id = 'news'`
  await work`vacuum analyze sends`
  await work`vacuum analyze outbox`
  const rows = await work<
    { 'QUERY PLAN': string }[]
  >`explain ${findCopies(app.db.groups[0]!, CLIENT, ['u500@example.com'])}`
  const plan = rows.map(row => row['QUERY PLAN']).join('\n')
  assert.doesNotMatch(plan, /Seq Scan/, plan)
  for (const index of [
    /Bitmap Index Scan on sends_\d+_copied_addresses_idx/,
    /Bitmap Index Scan on outbox_copies/
  ])
    assert.match(plan, index, plan)
  assert.equal((await findCopies(app.db.groups[0]!, CLIENT, ['u500@example.com'])).length, 1)
})
