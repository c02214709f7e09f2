// Dates in templates, for users in several zones and languages, on servers in any zone.

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
  // Rendered in this thread, and because of the loop in a worker thread.
  const both = await Promise.all(
    [message, `{% for i in (1..1) %}${message}{% endfor %}`].map(text =>
      by.render({ channel: 'SMS', content: { message: text }, data, envId: 'e', replace: {} })
    )
  )
  const [here, there] = both.map(one => (one.ok ? one.fields['message'] : one.detail))
  assert.equal(here, there)
  return here!
}

const TIME = '{{ when | date: "%Y-%m-%d %H:%M" }}'
const NEW_YORK = { timezone: 'America/New_York' }

/** Sets the time zone of this process to each zone, and resets it after the test. */
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

test('shows an instant in the time zone of the user', async t => {
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
  // Daylight saving time of the date, not of today.
  assert.equal(await written(TIME, '2026-07-01T03:30:00Z', { user: NEW_YORK }), '2026-06-30 23:30')
})

test('shows a date, and a time without a zone, the same for every user', async () => {
  for (const user of [{}, NEW_YORK, { timezone: 'Pacific/Kiritimati' }]) {
    assert.equal(await written(TIME, '2026-11-20', { user }), '2026-11-20 00:00')
    assert.equal(await written(TIME, '2026-11-20T08:15', { user }), '2026-11-20 08:15')
    assert.equal(await written('{{ when | date_to_string }}', '2026-11-20', { user }), '20 Nov 2026')
  }
})

test('keeps an offset, and uses the time zone of the template', async () => {
  assert.equal(await written(TIME, '2026-11-20T23:30:00+05:30', { user: NEW_YORK }), '2026-11-20 23:30')
  const paris = '{{ when | date: "%H:%M", "Europe/Paris" }}'
  assert.equal(await written(paris, '2026-11-20T03:30:00Z', { user: NEW_YORK }), '04:30')
})

test('applies a time zone of the template to a time without one, on servers in any zone', async t => {
  const paris = '{{ when | date: "%Y-%m-%d %H:%M", "Europe/Paris" }}'
  await inZones(t, ['UTC', 'Asia/Tokyo', 'America/New_York'], async zone => {
    for (const user of [{}, NEW_YORK]) {
      assert.equal(await written(paris, '2026-11-20T03:30', { user }), '2026-11-20 04:30', zone)
      assert.equal(await written(paris, '2026-11-20', { user }), '2026-11-20 01:00', zone)
      assert.equal(await written(paris, '2026-11-20T23:30:00+05:30', { user }), '2026-11-20 19:00', zone)
    }
  })
})

test('writes names of months in the language of the template', async () => {
  const month = '{{ when | date: "%-d. %B" }}'
  const on = (reading: Reading) => written(month, '2026-01-20', reading)
  assert.equal(await on({}), '20. January')
  assert.equal(await on({ template: '@de' }), '20. Januar')
  assert.equal(await on({ template: 'short@de', user: { locale: 'de-AT' } }), '20. Jänner')
  // A German user gets the default template, if there is no German one, without German names of months.
  assert.equal(await on({ user: { locale: 'de' } }), '20. January')
  assert.equal(await on({ by: french }), '20. janvier')
  assert.equal(await on({ by: french, template: '@de' }), '20. Januar')
})

test('keeps other texts, and ignores time zones in parameters', async () => {
  for (const text of ['soon', '2026-13-45', '2026-11-20T99:99Z'])
    assert.equal(await written(TIME, text), text)
  const data = templateData(
    { parameters: { _locale: 'de', _timezone: 'Asia/Tokyo' } },
    { id: 'u', ...NEW_YORK },
    '@fr'
  )
  assert.deepEqual([data['_locale'], data['_timezone']], ['fr', 'America/New_York'])
})
