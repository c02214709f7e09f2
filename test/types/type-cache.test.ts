// The cache of types: changes of other nodes take effect, concurrent requests share one read, and unknown types are read again.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { pino } from 'pino'

import { ensureEnvironment } from '../../server/environments/environments.sql.ts'
import { createTypeCache } from '../../server/types/type-cache.ts'
import { typeSettings, type NewType, type NotificationType } from '../../server/types/type.ts'
import { openTypes } from '../../server/types/types.sql.ts'
import { testDb } from '../support/db.ts'
import { TEST_ENCRYPTION } from '../support/test-encryption.ts'

const log = pino({ level: 'silent' })

async function nodes() {
  const t = await testDb()
  await ensureEnvironment(t.db, TEST_ENCRYPTION, { id: 'c1', origins: [], secret: 's', secureMode: true })
  let now = 1_000_000
  let reads = 0
  const counted = {
    ...t.db,
    control: new Proxy(t.db.control, {
      apply(sql, self, args: Parameters<typeof t.db.control>) {
        if (String((args[0] as unknown as string[])[0]).includes('select n.id')) reads += 1
        return Reflect.apply(sql, self, args) as unknown
      }
    })
  }
  return {
    [Symbol.asyncDispose]: () => t[Symbol.asyncDispose](),
    a: openTypes(t.db, log, () => now),
    b: openTypes(counted, log, () => now),
    db: t.db,
    pass: (ms: number): void => void (now += ms),
    reads: () => reads
  }
}

const typeOf = (id: string, title: string, more: Partial<NewType> = {}): NewType => ({
  channels: [],
  id,
  settings: typeSettings.parse({}),
  templates: [{ channel: 'INAPP_WEB', content: { title }, id: '' }],
  title,
  ...more
})

test('shares one read, and returns the old type while it is read again', async () => {
  await using t = await nodes()
  await t.a.put('c1', [typeOf('x', 'one')])
  assert.equal((await t.a.get('c1', 'x'))?.title, 'one')
  const found = await Promise.all(Array.from({ length: 50 }, () => t.b.get('c1', 'x')))
  assert.equal(t.reads(), 1)
  assert.ok(found.every(type => type?.title === 'one'))

  await t.a.put('c1', [typeOf('x', 'two')])
  assert.equal((await t.a.get('c1', 'x'))?.title, 'two', 'the node that changed it knows at once')
  t.pass(1_999)
  assert.equal((await t.b.get('c1', 'x'))?.title, 'one')
  t.pass(2)
  assert.equal((await t.b.get('c1', 'x'))?.title, 'one')
  assert.equal(t.reads(), 2, 'this one was answered at once and read again beside it')
  await t.b.read('c1', 'x')
  await t.b.get('c1', 'x')
  t.pass(10_001)
  await t.a.put('c1', [typeOf('x', 'three')])
  assert.equal((await t.b.get('c1', 'x'))?.title, 'three', 'what is too old is not served')
  await t.a.put('c1', [typeOf('x', 'four')])
  t.b.forget('c1')
  assert.equal((await t.b.get('c1', 'x'))?.title, 'four')
})

test('finds a type that another node created at the next send', async () => {
  await using t = await nodes()
  assert.equal(await t.b.get('c1', 'new'), undefined)
  assert.equal(await t.b.get('c1', 'new'), undefined)
  assert.equal(t.reads(), 1, 'a flood of unknown types is no flood of queries')
  await t.a.put('c1', [typeOf('new', 'n')])
  t.pass(201)
  assert.equal((await t.b.get('c1', 'new'))?.title, 'n')
  assert.equal(await t.b.get('c1', 'x'.repeat(256)), undefined)
  assert.equal(await t.b.get('c1', 'a\0b'), undefined)
})

test('adds the channels of sends to an ad-hoc type, but not to other types', async () => {
  await using t = await nodes()
  const made = await Promise.all(
    Array.from({ length: 20 }, (_, i) =>
      (i % 2 ? t.a : t.b).ensure('c1', 'fly', i % 2 ? ['EMAIL'] : ['INAPP_WEB'])
    )
  )
  for (const [i, { channels, title }] of made.entries()) {
    assert.ok(channels.includes(i % 2 ? 'EMAIL' : 'INAPP_WEB'))
    assert.equal(title, 'fly')
  }
  assert.deepEqual([...(await t.a.read('c1', 'fly'))!.channels].sort(), ['EMAIL', 'INAPP_WEB'])
  await t.a.put('c1', [typeOf('mine', 'Mine', { channels: ['SMS'] })])
  assert.deepEqual((await t.a.ensure('c1', 'mine', ['EMAIL'])).channels, ['SMS'])
  // Also if this node does not know yet that the type is no longer ad hoc.
  await t.b.get('c1', 'fly')
  await t.a.put('c1', [typeOf('fly', 'Fly', { channels: ['SMS'] })])
  assert.deepEqual((await t.b.ensure('c1', 'fly', ['CALL'])).channels, ['SMS'])
  // The same id in another environment is another type.
  await ensureEnvironment(t.db, TEST_ENCRYPTION, { id: 'c2', origins: [], secret: 's', secureMode: true })
  assert.equal(await t.a.get('c2', 'mine'), undefined)
  await t.a.put('c2', [typeOf('mine', 'Theirs')])
  await t.db.control`
    insert into sub_notifications (env_id, notification_id, id, title, key) values ('c2', 'mine', 'part', 'Part', '')`
  assert.equal((await t.a.read('c1', 'mine'))!.subs.size, 0)
  assert.deepEqual([...(await t.a.read('c2', 'mine'))!.subs], [['part', 'Part']])
})

test('uses all channels with a default template if a type names none', async () => {
  await using t = await nodes()
  await t.a.put('c1', [
    typeOf('x', 'x', {
      templates: [
        { channel: 'EMAIL', content: { html: 'h', subject: 's' }, id: '' },
        { channel: 'SMS', content: { message: 'm' }, id: 'de' }
      ]
    })
  ])
  assert.deepEqual((await t.a.get('c1', 'x'))?.channels, ['EMAIL'])
  await t.a.putTemplate('c1', 'x', { channel: 'SMS', content: { message: 'm' }, id: '' })
  assert.deepEqual([...(await t.a.get('c1', 'x'))!.channels].sort(), ['EMAIL', 'SMS'])
  await t.a.deleteTemplate('c1', 'x', { channel: 'EMAIL', id: '' })
  const { channels, templates } = (await t.a.get('c1', 'x'))!
  assert.deepEqual(channels, ['SMS'])
  assert.deepEqual([...templates.get('SMS')!.keys()].sort(), ['', 'de'])
})

test('stores several types or none', async () => {
  await using t = await nodes()
  await assert.rejects(t.a.put('c1', [typeOf('good', 'g'), typeOf('bad', 'a\0b')]))
  assert.deepEqual(await t.a.list('c1'), [])
  // Two nodes that read the same files at once, in any order.
  const many = Array.from({ length: 20 }, (_, i) => typeOf(`t${i}`, `T${i}`))
  await Promise.all([t.a.put('c1', many), t.b.put('c1', many.toReversed()), t.a.put('c1', many.toReversed())])
  assert.equal((await t.a.list('c1')).length, 20)
})

test('uses default settings if the stored ones are not valid', async () => {
  await using t = await nodes()
  await t.a.put('c1', [typeOf('x', 'x')])
  await t.db.control`update notifications set settings = '{"retention": "long"}' where id = 'x'`
  t.a.forget('c1')
  assert.equal((await t.a.get('c1', 'x'))?.settings.enabled, true)
})

test('does not cache a read that began before a change', async () => {
  const waiting: ((type: NotificationType) => void)[] = []
  const read = (): Promise<NotificationType> => new Promise(resolve => waiting.push(resolve))
  const cache = createTypeCache(read, () => 0)
  const named = (title: string): NotificationType => ({
    channels: [],
    id: 'x',
    settings: typeSettings.parse({}),
    subs: new Map(),
    templates: new Map(),
    title
  })
  const early = cache.get('c1', 'x')
  cache.forget('c1', 'x')
  const late = cache.get('c1', 'x')
  waiting[1]!(named('new'))
  assert.equal((await late)?.title, 'new')
  waiting[0]!(named('old'))
  assert.equal((await early)?.title, 'old')
  assert.equal((await cache.get('c1', 'x'))?.title, 'new')
})
