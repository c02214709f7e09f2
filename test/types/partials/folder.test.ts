// Layouts and partials as files beside the types: there before the types that use them, faults named by file and line.

import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Writable } from 'node:stream'
import { after, test } from 'node:test'

import { pino } from 'pino'

import { ensureEnvironment } from '../../../server/environments/environments.sql.ts'
import { openTypeFolder } from '../../../server/types/folder.ts'
import { pieceFile, soundOf } from '../../../server/types/partials/partial-file.ts'
import { putPiece, readPieces } from '../../../server/types/partials/partials.sql.ts'
import { createRenderer } from '../../../server/types/templates/render.ts'
import { openTypes } from '../../../server/types/types.sql.ts'
import { testDb } from '../../support/db.ts'
import { TEST_ENCRYPTION } from '../../support/test-encryption.ts'

const renderer = createRenderer({ renderTimeoutMs: 200 })
after(() => renderer.close())

const NONE = { layouts: new Map<string, string>(), partials: new Map<string, string>() }

/** @param files - by `kind/name` */
const judged = (files: Readonly<Record<string, string>>, known = NONE) => {
  const read = Object.entries(files).map(([path, text]) => {
    const [kind, name] = path.split('/') as ['layouts' | 'partials', string]
    return pieceFile(kind, name, text)
  })
  const { faults, sound } = soundOf(read, known, renderer)
  return {
    faults: faults.map(({ detail, file, line }) => `${file}:${line} ${detail}`),
    sound: sound.map(({ file }) => file)
  }
}

test('files may use one another in any order, and the last line break is not theirs', () => {
  const { faults, sound } = judged({
    'layouts/brand.html': "<main>{{ content_for_layout }}</main>{% render 'foot' %}\n",
    'partials/foot.liquid': "<p>{% render 'name' %}</p>\n",
    'partials/name.html': 'Ferry\n'
  })
  assert.deepEqual(faults, [])
  assert.equal(sound.length, 3)
  assert.equal(pieceFile('partials', 'name.html', 'Ferry\r\n').text, 'Ferry')
})

test('every fault has its file and line, and what uses a wrong file is wrong', () => {
  const { faults, sound } = judged({
    'layouts/brand.html': '<main></main>',
    'partials/a b.html': 'x',
    'partials/empty.html': '\n',
    'partials/foot.liquid': "<p>\n\n{% render 'name' %}</p>",
    'partials/fine.html': 'x',
    'partials/name.html': 'one\n{{ x | shout }}',
    'partials/self.html': "{% render 'self' %}",
    'partials/twice.html': 'x',
    'partials/twice.liquid': 'y'
  })
  assert.deepEqual(faults.toSorted(), [
    'layouts/brand.html:1 Expected {{ content_for_layout }} where the content stands.',
    'partials/a b.html:1 name: Expected 1 to 100 letters, digits, dots, _ or -.',
    'partials/empty.html:1 Expected some text.',
    'partials/foot.liquid:3 there is no partial "name".',
    'partials/name.html:2 there is no filter "shout".',
    'partials/self.html:1 the partial "self" uses itself.',
    'partials/twice.html:1 partials/twice.liquid has the same name.',
    'partials/twice.liquid:1 partials/twice.html has the same name.'
  ])
  assert.deepEqual(sound, ['partials/fine.html'])
  // The environment has one of that name, which stays.
  const known = { ...NONE, partials: new Map([['name', 'Ferry']]) }
  const beside = judged(
    { 'partials/foot.html': "{% render 'name' %}", 'partials/name.html': '{% nix %}' },
    known
  )
  assert.deepEqual(beside.sound, ['partials/foot.html'])
})

test(
  'they are applied before the types, on change, and repair the types that waited',
  { timeout: 30_000 },
  async () => {
    await using t = await testDb()
    const dir = await mkdtemp(join(tmpdir(), 'notif-pieces-'))
    await ensureEnvironment(t.db, TEST_ENCRYPTION, { id: 'c1', origins: [], secret: 's', secureMode: true })
    const lines: string[] = []
    let arrived = (): void => {}
    const log = pino(
      { level: 'info' },
      new Writable({
        write(chunk, _encoding, done) {
          lines.push((JSON.parse(String(chunk)) as { msg: string }).msg)
          arrived()
          done()
        }
      })
    )
    const heard = async (pattern: RegExp): Promise<string> => {
      for (;;) {
        const at = lines.findIndex(line => pattern.test(line))
        if (at !== -1) return lines.splice(0, at + 1).at(-1)!
        await new Promise<void>(resolve => (arrived = resolve))
      }
    }
    const write = async (file: string, text: string): Promise<void> => {
      await mkdir(dirname(join(dir, file)), { recursive: true })
      await writeFile(join(dir, file), text)
    }
    const types = openTypes(t.db, log)
    const html = async () => (await types.get('c1', 'hello'))?.templates.get('EMAIL')?.get('')?.['html']
    const type =
      "templates:\n  email:\n    subject: s\n    html: \"{% layout 'brand' %}{% render 'name' %}\"\n"
    await write('hello.yaml', type)
    await write('layouts/brand.liquid', '<main>{{ content_for_layout }}</main>\n')
    const open = await openTypeFolder({
      db: t.db,
      dir,
      envId: 'c1',
      log,
      renderer,
      types
    })
    assert.match(await heard(/wrong/), /^hello\.yaml:4 is wrong: templates\.email\.html: .*no partial "name"/)
    assert.equal(await html(), undefined)

    // A folder that was not there at boot.
    await write('partials/name.html', 'Ferry')
    await heard(/hello\.yaml applied/)
    assert.equal(await html(), '<main>Ferry</main>')

    await write('partials/name.html', 'Ship')
    await heard(/name\.html applied/)
    assert.equal(await html(), '<main>Ship</main>')
    await write('partials/name.html', 'one\n{% nix %}')
    assert.match(await heard(/wrong/), /^partials\/name\.html:2 is wrong: /)
    assert.equal(await html(), '<main>Ship</main>')

    // One that goes takes nothing with it, and REST is overruled at the next start.
    await rm(join(dir, 'partials/name.html'))
    await open.close()
    await putPiece(t.db, 'c1', 'layouts', { id: 'brand', text: '<i>{{ content_for_layout }}</i>' })
    const again = await openTypeFolder({
      db: t.db,
      dir,
      envId: 'c1',
      log,
      renderer,
      types
    })
    const { layouts, partials } = await readPieces(t.db, 'c1')
    assert.deepEqual(
      [layouts.get('brand'), partials.get('name')],
      ['<main>{{ content_for_layout }}</main>', 'Ship']
    )
    await again.close()
    await rm(dir, { recursive: true })
  }
)
