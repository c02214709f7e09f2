// Dates in templates, for readers in zones and languages, on a machine in whatever zone.

import assert from 'node:assert/strict'
import { after, test, type TestContext } from 'node:test'

import { templateData } from '../../../server/send/send-request.ts'
import type { Recipient } from '../../../server/send/send-request.ts'
import { createRenderer } from '../../../server/types/templates/render.ts'

const limits = { renderTimeoutMs: 500 }
const renderer = createRenderer(limits)
const french = createRenderer({ ...limits, locale: 'fr' })
after(() => Promise.all([renderer.close(), french.close()]))

interface Reading {
  readonly user?: Partial<Recipient>
  readonly template?: string
  readonly by?: typeof renderer
}

async function written(
  message: string,
  value: unknown,
  { user, template, by = renderer }: Reading = {}
): Promise<string> {
  const data = templateData({ parameters: { when: value } }, { id: 'u', ...user }, template ?? '')
  // Twice: in this thread, and because of the loop in another one.
  const both = await Promise.all(
    [message, `{% for i in (1..1) %}${message}{% endfor %}`].map(text =>
      by.render({ channel: 'SMS', content: { message: text }, data, replace: {} })
    )
  )
  const [here, there] = both.map(one => (one.ok ? one.fields['message'] : one.detail))
  assert.equal(here, there)
  return here!
}

const TIME = '{{ when | date: "%Y-%m-%d %H:%M" }}'
const NEW_YORK = { timezone: 'America/New_York' }

/** Sets the zone of this process to one after the other, and back when the test ends. */
async function inZones(
  t: TestContext,
  zones: readonly string[],
  work: (zone: string) => Promise<void>
): Promise<void> {
  const before = process.env['TZ']
  t.after(() => {
    if (before === undefined) delete process.env['TZ']
    else process.env['TZ'] = before
  })
  for (const zone of zones) {
    process.env['TZ'] = zone
    await work(zone)
  }
}

test('an instant is shown in the zone of its reader', async t => {
  await inZones(t, ['UTC', 'Asia/Tokyo', 'America/New_York'], async zone => {
    for (const when of [
      '2026-11-20T03:30:00Z',
      '2026-11-20T03:30:00.000z',
      '2026-11-20 03:30Z',
      1_795_145_400
    ]) {
      const what = `${when} in ${zone}`
      assert.equal(await written(TIME, when), '2026-11-20 03:30', what)
      assert.equal(await written(TIME, when, { user: NEW_YORK }), '2026-11-19 22:30', what)
    }
  })
  // Summer time is that of the date, not of today.
  assert.equal(await written(TIME, '2026-07-01T03:30:00Z', { user: NEW_YORK }), '2026-06-30 23:30')
})

test('a day is a day, and a time without a zone what it says, for every reader', async () => {
  for (const user of [{}, NEW_YORK, { timezone: 'Pacific/Kiritimati' }]) {
    assert.equal(await written(TIME, '2026-11-20', { user }), '2026-11-20 00:00')
    assert.equal(await written(TIME, '2026-11-20T08:15', { user }), '2026-11-20 08:15')
    assert.equal(await written('{{ when | date_to_string }}', '2026-11-20', { user }), '20 Nov 2026')
  }
})

test('an offset that was written is kept, and a zone that the template names counts', async () => {
  assert.equal(await written(TIME, '2026-11-20T23:30:00+05:30', { user: NEW_YORK }), '2026-11-20 23:30')
  const paris = '{{ when | date: "%H:%M", "Europe/Paris" }}'
  assert.equal(await written(paris, '2026-11-20T03:30:00Z', { user: NEW_YORK }), '04:30')
})

test('a zone that the template names says the same of a time without one, wherever the server stands', async t => {
  const paris = '{{ when | date: "%Y-%m-%d %H:%M", "Europe/Paris" }}'
  await inZones(t, ['UTC', 'Asia/Tokyo', 'America/New_York'], async zone => {
    for (const user of [{}, NEW_YORK]) {
      assert.equal(await written(paris, '2026-11-20T03:30', { user }), '2026-11-20 04:30', zone)
      assert.equal(await written(paris, '2026-11-20', { user }), '2026-11-20 01:00', zone)
      assert.equal(await written(paris, '2026-11-20T23:30:00+05:30', { user }), '2026-11-20 19:00', zone)
    }
  })
})

test('names of months are in the language of the template', async () => {
  const month = '{{ when | date: "%-d. %B" }}'
  const on = (reading: Reading) => written(month, '2026-01-20', reading)
  assert.equal(await on({}), '20. January')
  assert.equal(await on({ template: '@de' }), '20. Januar')
  assert.equal(await on({ template: 'short@de', user: { locale: 'de-AT' } }), '20. Jänner')
  // A reader of German gets the default template where there is no German one: not half of it in German.
  assert.equal(await on({ user: { locale: 'de' } }), '20. January')
  assert.equal(await on({ by: french }), '20. janvier')
  assert.equal(await on({ by: french, template: '@de' }), '20. Januar')
})

test('what is no date stays as it is, and merge tags do not name zones', async () => {
  for (const text of ['soon', '2026-13-45', '2026-11-20T99:99Z'])
    assert.equal(await written(TIME, text), text)
  const data = templateData(
    { parameters: { _locale: 'de', _timezone: 'Asia/Tokyo' } },
    { id: 'u', ...NEW_YORK },
    '@fr'
  )
  assert.deepEqual([data['_locale'], data['_timezone']], ['fr', 'America/New_York'])
})
