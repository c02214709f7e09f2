// Layouts and partials as files: applied before the types that use them, with faults by file and line.

import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'

import { ensureEnvironment } from '../../../server/environments/environments.sql.ts'
import { openTypeFolder } from '../../../server/types/apply-types-folder.ts'
import { toPartialFile, findValidFiles } from '../../../server/types/partials/partial-file.ts'
import { putPartial, readPartials } from '../../../server/types/partials/partials.sql.ts'
import { createRenderer } from '../../../server/types/templates/render.ts'
import { openTypes } from '../../../server/types/types.sql.ts'
import { testDb } from '../../support/db.ts'
import { TEST_ENCRYPTION } from '../../support/test-encryption.ts'
import { createLogListener } from '../log-listener.ts'

const renderer = createRenderer({ renderTimeoutMs: 200 })
after(() => renderer.close())

const NONE = { layouts: new Map<string, string>(), partials: new Map<string, string>() }

/** @param files - by `kind/name` */
const judged = (files: Readonly<Record<string, string>>, known = NONE) => {
  const read = Object.entries(files).map(([path, text]) => {
    const [kind, name] = path.split('/') as ['layouts' | 'partials', string]
    return toPartialFile(kind, name, text)
  })
  const { faults, valid } = findValidFiles(read, known, renderer)
  return {
    faults: faults.map(({ detail, file, line }) => `${file}:${line} ${detail}`),
    valid: valid.map(({ file }) => file)
  }
}

test('lets files use one another in any order, and removes their last line break', () => {
  const { faults, valid } = judged({
    'layouts/brand.html': "<main>{{ content_for_layout }}</main>{% render 'foot' %}\n",
    'partials/foot.liquid': "<p>{% render 'name' %}</p>\n",
    'partials/name.html': 'Ferry\n'
  })
  assert.deepEqual(faults, [])
  assert.equal(valid.length, 3)
  assert.equal(toPartialFile('partials', 'name.html', 'Ferry\r\n').text, 'Ferry')
})

test('gives every fault its file and line, and rejects files that use faulty ones', () => {
  const { faults, valid } = judged({
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
    'layouts/brand.html:1 Expected {{ content_for_layout }} at the place of the content.',
    'partials/a b.html:1 name: Expected 1 to 100 letters, digits, dots, _ or -.',
    'partials/empty.html:1 Expected some text.',
    'partials/foot.liquid:3 there is no partial "name".',
    'partials/name.html:2 there is no filter "shout".',
    'partials/self.html:1 the partial "self" uses itself.',
    'partials/twice.html:1 partials/twice.liquid has the same name.',
    'partials/twice.liquid:1 partials/twice.html has the same name.'
  ])
  assert.deepEqual(valid, ['partials/fine.html'])
  // The stored partial of that name is used.
  const known = { ...NONE, partials: new Map([['name', 'Ferry']]) }
  const beside = judged(
    { 'partials/foot.html': "{% render 'name' %}", 'partials/name.html': '{% nix %}' },
    known
  )
  assert.deepEqual(beside.valid, ['partials/foot.html'])
})

test(
  'applies partials before types and on changes, and applies types again that missed them',
  { timeout: 30_000 },
  async () => {
    await using t = await testDb()
    const dir = await mkdtemp(join(tmpdir(), 'notif-partials-'))
    await ensureEnvironment(t.db, TEST_ENCRYPTION, { id: 'c1', origins: [], secret: 's', secureMode: true })
    const { log, waitForLine } = createLogListener()
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
    assert.match(
      await waitForLine(/invalid/),
      /^type_file_invalid hello\.yaml 4 templates\.email\.html: .*no partial "name"/
    )
    assert.equal(await html(), undefined)

    // A folder that did not exist at the start.
    await write('partials/name.html', 'Ferry')
    await waitForLine(/applied hello\.yaml/)
    assert.equal(await html(), '<main>Ferry</main>')

    await write('partials/name.html', 'Ship')
    await waitForLine(/applied name\.html/)
    assert.equal(await html(), '<main>Ship</main>')
    await write('partials/name.html', 'one\n{% nix %}')
    assert.match(await waitForLine(/invalid/), /^partial_file_invalid name\.html 2 /)
    assert.equal(await html(), '<main>Ship</main>')

    // A deleted file deletes nothing, and the next start overrides REST.
    await rm(join(dir, 'partials/name.html'))
    await open.close()
    await putPartial(t.db.control, 'c1', 'layouts', { id: 'brand', text: '<i>{{ content_for_layout }}</i>' })
    const again = await openTypeFolder({
      db: t.db,
      dir,
      envId: 'c1',
      log,
      renderer,
      types
    })
    const { layouts, partials } = await readPartials(t.db, 'c1')
    assert.deepEqual(
      [layouts.get('brand'), partials.get('name')],
      ['<main>{{ content_for_layout }}</main>', 'Ship']
    )
    await again.close()
    await rm(dir, { recursive: true })
  }
)
