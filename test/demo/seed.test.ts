// The demo's samples in an empty database: inboxes, and the preferences of their types.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { PEOPLE } from '../../demo/people.ts'
import { bucketOf } from '../../server/core/id.ts'
import { seedDemo } from '../../server/demo/route.ts'
import { SAMPLE_ITEMS } from '../../server/demo/samples.ts'
import { ensureEnvironment } from '../../server/environments/environments.sql.ts'
import { readMatrix } from '../../server/users/preferences/read-matrix.ts'
import { testKit } from '../send/test-context.ts'
import { testDb } from '../support/db.ts'
import { TEST_ENCRYPTION } from '../support/test-encryption.ts'

test('preferences list the types of the samples from the start', async () => {
  await using t = await testDb()
  const context = testKit(t.db)
  await ensureEnvironment(t.db, TEST_ENCRYPTION, { id: 'demo', origins: [], secret: 's', secureMode: true })
  await seedDemo(context, 'demo', 'http://127.0.0.1:3000')
  await seedDemo(context, 'demo', 'http://127.0.0.1:3000')
  const environment = (await context.environments.get('demo'))!
  const titles = SAMPLE_ITEMS.map(item => item.typeTitle).toSorted()
  for (const { id: userId } of PEOPLE) {
    const user = { bucket: bucketOf('demo', userId), envId: 'demo', userId }
    const { notifications, preferences } = await readMatrix(context, environment, user)
    assert.deepEqual(
      notifications.map(({ title }) => title),
      titles
    )
    assert.equal(preferences.length, titles.length * 2)
  }
})

test('pictures have the address of the server, also after a start with another port', async () => {
  await using t = await testDb()
  const context = testKit(t.db)
  await ensureEnvironment(t.db, TEST_ENCRYPTION, { id: 'demo', origins: [], secret: 's', secureMode: true })
  for (const base of ['http://127.0.0.1:3000', 'http://127.0.0.1:4000', 'https://notif.example/inbox/']) {
    await seedDemo(context, 'demo', base)
    for (const { id: userId } of PEOPLE) {
      const bucket = bucketOf('demo', userId)
      const rows = await t.db.of(bucket).sql<{ image: string }[]>`
        select content->>'imageURL' as image from inbox_items
        where bucket = ${bucket} and env_id = 'demo' and user_id = ${userId} order by seq`
      assert.deepEqual(
        rows.map(({ image }) => image),
        SAMPLE_ITEMS.map(({ image }) => `${base.replace(/\/$/, '')}${image}`)
      )
    }
  }
})
