// The hosted product's SDK for Node: its methods for preferences and sub-notifications.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'

import api from 'notificationapi-node-server-sdk'

import { MODES, SECURE, startTwoModes, type TwoModes } from './two-modes.ts'

let site: TwoModes
before(async () => {
  site = await startTwoModes()
})
after(() => site[Symbol.asyncDispose]())

for (const mode of MODES) {
  const use = (): ReturnType<TwoModes['ours']> => {
    api.init(mode.clientId, mode.secret, { baseURL: site.base })
    return site.ours(mode)
  }

  test(`preferences, ${mode.name}`, async () => {
    const ours = use()
    await ours.putType('prefs', {
      templates: { EMAIL: { html: 'x', subject: 'x' }, INAPP_WEB: { title: 'x' } },
      title: 'Prefs'
    })
    const [email, inapp, off] = ['EMAIL' as never, 'INAPP_WEB' as never, 'off' as never]
    const rows = async (): Promise<readonly (readonly [string, string, string | undefined])[]> =>
      (await ours.getUserPreferences('chooser')).preferences
        .filter(({ delivery }) => delivery === 'off')
        .map(({ channel, delivery, subNotificationId }) => [channel, delivery, subNotificationId] as const)
    const set = await api.setUserPreferences('chooser', [
      { channel: email, delivery: off, notificationId: 'prefs' },
      { channel: inapp, delivery: off, notificationId: 'prefs' }
    ])
    assert.equal(set.status, 200)
    assert.deepEqual((await rows()).map(([channel]) => channel).toSorted(), ['EMAIL', 'INAPP_WEB'])
    await ours.send({ inapp: { title: 'x' }, to: { id: 'chooser' }, type: 'prefs' })
    assert.equal((await ours.listInApp('chooser')).items.length, 0)
    await api.setUserPreferences('chooser', [{ channel: email, delivery: off, notificationId: 'prefs' }])
    assert.deepEqual(
      (await rows()).map(([channel]) => channel),
      ['EMAIL']
    )
    assert.equal((await api.deleteUserPreferences('chooser', 'prefs')).status, 200)
    assert.deepEqual(await rows(), [])
  })

  test(`sub-notifications, ${mode.name}`, async () => {
    const ours = use()
    await ours.putType('parts', { templates: { INAPP_WEB: { title: 'x' } } })
    const part = { notificationId: 'parts', subNotificationId: 'north' }
    assert.ok((await api.createSubNotification({ ...part, title: 'North' })).status < 300)
    const off = { channel: 'INAPP_WEB' as never, delivery: 'off' as never }
    await api.setUserPreferences('reader', [{ ...off, ...part }])
    const seen = await ours.getUserPreferences('reader')
    assert.deepEqual(seen.subNotifications, [{ ...part, title: 'North' }])
    const ofPart = (rows: typeof seen.preferences) => rows.filter(row => row.subNotificationId === 'north')
    assert.deepEqual(
      ofPart(seen.preferences).map(({ delivery }) => delivery),
      ['off']
    )
    await api.deleteUserPreferences('reader', 'parts', 'north')
    const after = await ours.getUserPreferences('reader')
    assert.ok(ofPart(after.preferences).every(({ delivery }) => delivery === 'instant'))
    assert.ok((await api.deleteSubNotification(part)).status < 300)
    assert.deepEqual((await ours.getUserPreferences('reader')).subNotifications, [])
  })
}

test('refuses the wrong secret', async t => {
  // The SDK prints every refusal before it throws it.
  t.mock.method(console, 'error', () => {})
  api.init(SECURE.clientId, 'wrong', { baseURL: site.base })
  for (const call of [
    () => api.setUserPreferences('u1', []),
    () => api.deleteUserPreferences('u1', 'a'),
    () => api.createSubNotification({ notificationId: 'a', subNotificationId: 'b', title: 'c' }),
    () => api.deleteSubNotification({ notificationId: 'a', subNotificationId: 'b' })
  ]) {
    await assert.rejects(call, { status: 401 }, call.toString())
  }
})
