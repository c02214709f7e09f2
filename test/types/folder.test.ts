// A folder of types: applied at boot and on change, faults named by file and line.

import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { after, test } from 'node:test'

import { pino } from 'pino'

import { ensureEnvironment } from '../../server/environments/environments.sql.ts'
import { parseTypeFile } from '../../server/types/file.ts'
import { openTypeFolder } from '../../server/types/folder.ts'
import { createRenderer } from '../../server/types/templates/render.ts'
import { openTypes } from '../../server/types/types.sql.ts'
import { testDb } from '../support/db.ts'
import { TEST_ENCRYPTION } from '../support/test-encryption.ts'

const renderer = createRenderer({ renderTimeoutMs: 200 })
after(() => renderer.close())

/** A log whose lines can be awaited. */
function listener() {
  const lines: string[] = []
  let arrived = (): void => {}
  const sink = new Writable({
    write(chunk, _encoding, done) {
      lines.push((JSON.parse(String(chunk)) as { msg: string }).msg)
      arrived()
      done()
    }
  })
  return {
    lines,
    log: pino({ level: 'info' }, sink),
    /** The first line from now on (or since the last one that was awaited) that fits. */
    async heard(pattern: RegExp): Promise<string> {
      for (;;) {
        const at = lines.findIndex(line => pattern.test(line))
        if (at !== -1) return lines.splice(0, at + 1).at(-1)!
        await new Promise<void>(resolve => {
          arrived = resolve
        })
      }
    }
  }
}

async function folder() {
  const t = await testDb()
  const dir = await mkdtemp(join(tmpdir(), 'notif-types-'))
  await ensureEnvironment(t.db, TEST_ENCRYPTION, { id: 'c1', origins: [], secret: 's', secureMode: true })
  const { log, heard, lines } = listener()
  const types = openTypes(t.db, log)
  const write = (file: string, text: string): Promise<void> => writeFile(join(dir, file), text)
  return {
    async [Symbol.asyncDispose]() {
      await rm(dir, { force: true, recursive: true })
      await t[Symbol.asyncDispose]()
    },
    db: t.db,
    dir,
    heard,
    lines,
    open: () => openTypeFolder({ db: t.db, dir, envId: 'c1', log, renderer, types }),
    title: async (id: string) => (await types.read('c1', id))?.templates.get('INAPP_WEB')?.get('')?.['title'],
    types,
    write
  }
}

const inapp = (title: string, more = ''): string =>
  `${more}templates:\n  inapp:\n    title: ${JSON.stringify(title)}\n`

test(
  'files are applied at boot, on change, and after the rename of an editor',
  { timeout: 20_000 },
  async () => {
    await using f = await folder()
    await f.write('comment.yaml', inapp('one'))
    await f.write('notes.txt', 'not a type')
    const open = await f.open()
    assert.equal(await f.title('comment'), 'one')
    await f.heard(/comment\.yaml applied/)

    await f.write('comment.yaml', inapp('two'))
    await f.heard(/comment\.yaml applied/)
    assert.equal(await f.title('comment'), 'two')

    // As vim and most editors save: another file takes the place of the first.
    for (const title of ['three', 'four']) {
      await f.write('.comment.yaml.swp', inapp(title))
      await rename(join(f.dir, '.comment.yaml.swp'), join(f.dir, 'comment.yaml'))
      await f.heard(/comment\.yaml applied/)
      assert.equal(await f.title('comment'), title)
    }

    await f.write('more.json', '[{"id":"a","templates":{"inapp":{"title":"A"}}},{"id":"b"}]')
    await f.heard(/more\.json applied/)
    assert.equal(await f.title('a'), 'A')
    await open.close()
    assert.equal((await f.types.list('c1')).length, 3)
  }
)

test('a wrong file is named with its line and leaves everything as it was', { timeout: 20_000 }, async () => {
  await using f = await folder()
  await f.write('a.yaml', inapp('a1'))
  await f.write('b.yaml', inapp('b1'))
  const open = await f.open()
  await f.write(
    'a.yaml',
    'title: A\ntemplates:\n  inapp:\n    title: |\n      Hello\n      {{ name | shout }}\n'
  )
  assert.equal(
    await f.heard(/wrong/),
    'a.yaml:6 is wrong: templates.inapp.title: there is no filter "shout".'
  )
  await f.write('b.yaml', inapp('b2'))
  await f.heard(/b\.yaml applied/)
  assert.deepEqual([await f.title('a'), await f.title('b')], ['a1', 'b2'])
  await f.write('a.yaml', inapp('a3'))
  await f.heard(/a\.yaml applied/)
  assert.equal(await f.title('a'), 'a3')
  await open.close()
})

test(
  'a type lives in one file; it may move; a file that goes takes nothing along',
  { timeout: 20_000 },
  async () => {
    await using f = await folder()
    await f.write('a.yaml', inapp('from a', 'id: x\n'))
    const open = await f.open()
    await f.write('b.yaml', inapp('from b', 'id: x\n'))
    assert.equal(await f.heard(/wrong/), 'b.yaml:1 is wrong: The type x stands in a.yaml, too.')
    assert.equal(await f.title('x'), 'from a')
    await rm(join(f.dir, 'a.yaml'))
    await f.heard(/b\.yaml applied/)
    assert.equal(await f.title('x'), 'from b')
    await rm(join(f.dir, 'b.yaml'))
    await f.write('c.yaml', inapp('c'))
    await f.heard(/c\.yaml applied/)
    assert.equal(await f.title('x'), 'from b')
    await open.close()
  }
)

test('a file that cannot be read is told once, and the others are applied', async () => {
  await using f = await folder()
  // Nobody is refused a file by its mode who may do everything.
  await mkdir(join(f.dir, 'a.yaml'))
  await f.write('b.yaml', inapp('one'))
  const open = await f.open()
  assert.deepEqual(f.lines, [
    'a file cannot be read, and is as if it were not there',
    'types of b.yaml applied'
  ])
  await f.write('b.yaml', inapp('two'))
  await f.heard(/b\.yaml applied/)
  await f.heard(/b\.yaml applied/)
  assert.deepEqual(f.lines, [])
  await open.close()
})

test('a folder that is not there is an error at boot', async () => {
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

test('every fault has its line', () => {
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
    '5 Expected an id: the file holds several types.'
  ])
  assert.deepEqual(faults('- id: a\n- id: a\n'), ['2 The type a stands here twice.'])
  assert.deepEqual(faults('templates:\n  inapp:\n    title: a\n    url: javascript:alert(1)'), [
    '4 templates.inapp.url: Expected an http, https or mailto address, or a path that starts with /.'
  ])
  assert.deepEqual(faults('id: a\ntitle:\n  length: { toString: none }'), [
    '2 title: Expected another kind of value.'
  ])
  const bomb =
    'a: &a [x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b]\nd: [*c,*c,*c,*c]'
  assert.match(faults(bomb)[0]!, /Excessive alias count/)
  assert.deepEqual(parseTypeFile('x.yaml', '', renderer), { faults: [], types: [] })
})

test('the types of the demo are right and render', async () => {
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
          replace: {}
        })
        assert.ok(rendered.ok, JSON.stringify(rendered))
      }
    }
  }
})
