// A folder of types: applied at the start and on changes, with faults by file and line.

import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'

import { pino } from 'pino'

import { ensureEnvironment } from '../../server/environments/environments.sql.ts'
import { openTypeFolder } from '../../server/types/apply-types-folder.ts'
import { parseTypeFile } from '../../server/types/parse-types-file.ts'
import { createRenderer } from '../../server/types/templates/render.ts'
import { openTypes } from '../../server/types/types.sql.ts'
import { testDb } from '../support/db.ts'
import { TEST_ENCRYPTION } from '../support/test-encryption.ts'
import { createLogListener } from './log-listener.ts'

const renderer = createRenderer({ renderTimeoutMs: 200 })
after(() => renderer.close())

async function folder() {
  const t = await testDb()
  const dir = await mkdtemp(join(tmpdir(), 'notif-types-'))
  await ensureEnvironment(t.db, TEST_ENCRYPTION, { id: 'c1', origins: [], secret: 's', secureMode: true })
  const { log, waitForLine, lines } = createLogListener()
  const types = openTypes(t.db, log)
  const write = (file: string, text: string): Promise<void> => writeFile(join(dir, file), text)
  return {
    async [Symbol.asyncDispose]() {
      await rm(dir, { force: true, recursive: true })
      await t[Symbol.asyncDispose]()
    },
    db: t.db,
    dir,
    lines,
    open: () => openTypeFolder({ db: t.db, dir, envId: 'c1', log, renderer, types }),
    title: async (id: string) => (await types.read('c1', id))?.templates.get('INAPP_WEB')?.get('')?.['title'],
    types,
    waitForLine,
    write
  }
}

const inapp = (title: string, more = ''): string =>
  `${more}templates:\n  inapp:\n    title: ${JSON.stringify(title)}\n`

test(
  'applies files at the start, on changes, and after an editor has replaced them',
  { timeout: 20_000 },
  async () => {
    await using f = await folder()
    await f.write('comment.yaml', inapp('one'))
    await f.write('notes.txt', 'not a type')
    const open = await f.open()
    assert.equal(await f.title('comment'), 'one')
    await f.waitForLine(/applied comment\.yaml/)

    await f.write('comment.yaml', inapp('two'))
    await f.waitForLine(/applied comment\.yaml/)
    assert.equal(await f.title('comment'), 'two')

    // Most editors save by replacing the file.
    for (const title of ['three', 'four']) {
      await f.write('.comment.yaml.swp', inapp(title))
      await rename(join(f.dir, '.comment.yaml.swp'), join(f.dir, 'comment.yaml'))
      await f.waitForLine(/applied comment\.yaml/)
      assert.equal(await f.title('comment'), title)
    }

    await f.write('more.json', '[{"id":"a","templates":{"inapp":{"title":"A"}}},{"id":"b"}]')
    await f.waitForLine(/applied more\.json/)
    assert.equal(await f.title('a'), 'A')
    await open.close()
    assert.equal((await f.types.list('c1')).length, 3)
  }
)

test('logs a faulty file with its line and keeps the stored types', { timeout: 20_000 }, async () => {
  await using f = await folder()
  await f.write('a.yaml', inapp('a1'))
  await f.write('b.yaml', inapp('b1'))
  const open = await f.open()
  await f.write(
    'a.yaml',
    'title: A\ntemplates:\n  inapp:\n    title: |\n      Hello\n      {{ name | shout }}\n'
  )
  assert.equal(
    await f.waitForLine(/invalid/),
    'type_file_invalid a.yaml 6 templates.inapp.title: there is no filter "shout".'
  )
  await f.write('b.yaml', inapp('b2'))
  await f.waitForLine(/applied b\.yaml/)
  assert.deepEqual([await f.title('a'), await f.title('b')], ['a1', 'b2'])
  await f.write('a.yaml', inapp('a3'))
  await f.waitForLine(/applied a\.yaml/)
  assert.equal(await f.title('a'), 'a3')
  await open.close()
})

test(
  'applies a type from one file, which may change, and deletes nothing with a file',
  { timeout: 20_000 },
  async () => {
    await using f = await folder()
    await f.write('a.yaml', inapp('from a', 'id: x\n'))
    const open = await f.open()
    await f.write('b.yaml', inapp('from b', 'id: x\n'))
    assert.equal(await f.waitForLine(/invalid/), 'type_file_invalid b.yaml 1 The type x is also in a.yaml.')
    assert.equal(await f.title('x'), 'from a')
    await rm(join(f.dir, 'a.yaml'))
    await f.waitForLine(/applied b\.yaml/)
    assert.equal(await f.title('x'), 'from b')
    await rm(join(f.dir, 'b.yaml'))
    await f.write('c.yaml', inapp('c'))
    await f.waitForLine(/applied c\.yaml/)
    assert.equal(await f.title('x'), 'from b')
    await open.close()
  }
)

test('logs a file that cannot be read once, and applies the others', async () => {
  await using f = await folder()
  // A folder, because root can read a file of any mode.
  await mkdir(join(f.dir, 'a.yaml'))
  await f.write('b.yaml', inapp('one'))
  const open = await f.open()
  assert.deepEqual(f.lines, ['file_unreadable a.yaml', 'type_file_applied b.yaml'])
  await f.write('b.yaml', inapp('two'))
  await f.waitForLine(/applied b\.yaml/)
  await f.waitForLine(/applied b\.yaml/)
  assert.deepEqual(f.lines, [])
  await open.close()
})

test('a type is managed by files as long as one contains it', { timeout: 20_000 }, async () => {
  await using f = await folder()
  const managed = async () =>
    (await f.types.list('c1')).filter(type => type.managedBy === 'files').map(({ id }) => id)
  await f.write('a.yaml', inapp('a'))
  await f.write('b.yaml', inapp('b'))
  const open = await f.open()
  assert.deepEqual(await managed(), ['a', 'b'])
  const change = { channel: 'INAPP_WEB', content: { title: 'by REST' }, id: '' } as const
  await assert.rejects(f.types.putTemplate('c1', 'a', change, { by: 'secret' }), /managed by files/)

  // What a file with a fault contains is not known.
  await f.write('b.yaml', 'title: [')
  await f.waitForLine(/invalid/)
  await rm(join(f.dir, 'a.yaml'))
  await f.write('c.yaml', inapp('c'))
  await f.waitForLine(/applied c\.yaml/)
  await open.close()
  assert.deepEqual(await managed(), ['a', 'b', 'c'])

  await f.write('b.yaml', inapp('b'))
  await (await f.open()).close()
  assert.deepEqual(await managed(), ['b', 'c'])
  await f.types.putTemplate('c1', 'a', change, { by: 'secret' })
  assert.equal(await f.title('a'), 'by REST')
})

test('rejects a missing folder at the start', async () => {
  await using f = await folder()
  await assert.rejects(
    openTypeFolder({
      db: f.db,
      dir: join(f.dir, 'none'),
      envId: 'c1',
      log: pino({ level: 'silent' }),
      renderer,
      types: f.types
    }),
    {
      code: 'ENOENT'
    }
  )
})

test('gives every fault its line', () => {
  const faults = (text: string, name = 'x.yaml') =>
    parseTypeFile(name, text, renderer).faults.map(({ line, detail }) => `${line} ${detail}`)
  assert.deepEqual(faults('title: x\ntemplates:\n  inapp:\n    title: a\n    titel: b\n'), [
    '5 templates.inapp.titel: Unknown field. Check its spelling, or remove it.'
  ])
  assert.deepEqual(faults('id: a\nchanels: [SMS]\nretention: many\ntitel: x\n'), [
    '3 retention: Expected number, received string.',
    '2 chanels: Unknown field. Check its spelling, or remove it.',
    '4 titel: Unknown field. Check its spelling, or remove it.'
  ])
  assert.deepEqual(faults('title: a\ntitle: b'), ['2 Map keys must be unique'])
  assert.deepEqual(
    faults('{"id": "x",\n "templates": {"email": {"subject": "a\\nb",\n "html": "{% foo %}"}}}', 'x.json'),
    ['2 templates.email.subject: Expected no line breaks or control characters.']
  )
  assert.deepEqual(faults('id: a\n---\nid: b\n---\ntitle: c'), [
    '5 Expected an id, because the file contains several types.'
  ])
  assert.deepEqual(faults('- id: a\n- id: a\n'), ['2 The type a is in this file twice.'])
  assert.deepEqual(faults('templates:\n  inapp:\n    title: a\n    url: javascript:alert(1)'), [
    '4 templates.inapp.url: Expected an http, https or mailto address without a user name, or a path that starts with /.'
  ])
  assert.deepEqual(faults('id: a\ntitle:\n  length: { toString: none }'), [
    '2 title: Expected another kind of value.'
  ])
  const bomb =
    'a: &a [x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b]\nd: [*c,*c,*c,*c]'
  assert.match(faults(bomb)[0]!, /Excessive alias count/)
  assert.deepEqual(parseTypeFile('x.yaml', '', renderer), { faults: [], types: [] })
})

test('parses and renders the types of the demo', async () => {
  const dir = join(import.meta.dirname, '../../demo/types')
  const files = await readdir(dir)
  assert.equal(files.length, 5)
  for (const file of files) {
    const { types, faults } = parseTypeFile(file, await readFile(join(dir, file), 'utf8'), renderer)
    assert.deepEqual(faults, [])
    for (const { templates = [] } of types) {
      assert.deepEqual(templates.map(({ channel }) => channel).sort(), ['EMAIL', 'INAPP_WEB'])
      for (const { channel, content } of templates) {
        const rendered = await renderer.render({
          channel,
          content,
          data: { author: '<Ann>', url: '/x' },
          envId: 'e',
          replace: {}
        })
        assert.ok(rendered.ok, JSON.stringify(rendered))
      }
    }
  }
})
