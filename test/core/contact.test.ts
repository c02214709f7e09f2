// Parsers of user ids, email addresses, phone numbers and time zones accept the documented forms only.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { emailAddress, phoneNumber, timeZone, userId } from '../../server/core/contact.ts'
import { startCpuTimer } from '../support/cpu-time.ts'

const all = (
  schema: { safeParse(text: string): { success: boolean; data?: unknown } },
  table: Record<string, string | false>
) => {
  for (const [text, expected] of Object.entries(table)) {
    const read = schema.safeParse(text)
    assert.equal(read.success ? read.data : false, expected, JSON.stringify(text))
  }
}
const same = (...texts: string[]) => Object.fromEntries(texts.map(text => [text, text]))
const none = (...texts: string[]) => Object.fromEntries(texts.map(text => [text, false as const]))

test('accepts one plain email address in any script', () => {
  all(
    emailAddress,
    same(
      'a@example.com',
      "o'neil+tag@mail.example.co.uk",
      'ü@exämple.de',
      '用户@例子.广告',
      'a.b-c_d@x-y.io',
      `${'a'.repeat(64)}@example.com`
    )
  )
  all(
    emailAddress,
    none(
      '',
      'a',
      'a@',
      '@b.com',
      'a@b',
      'a@b@c.com',
      'a b@c.com',
      'a@b.com, c@d.com',
      'a@b.com;c@d.com',
      'A <a@b.com>',
      '<a@b.com>',
      'a@b.com\r\nBcc: x@y.com',
      'a@b.com\n',
      'a\0@b.com',
      '.a@b.com',
      'a.@b.com',
      'a..b@c.com',
      'a@-b.com',
      'a@b-.com',
      'a@b..com',
      'a@[1.2.3.4]',
      '"a b"@c.com',
      'a(x)@b.com',
      'a:b@c.com',
      `${'a'.repeat(65)}@example.com`,
      `a@${'b'.repeat(64)}.com`,
      `a@${'b.'.repeat(130)}com`,
      'a\u200b@b.com',
      'a\u202e@b.com'
    )
  )
})

test('accepts phone numbers with + and country code, or of the US and Canada, with separators', () => {
  all(phoneNumber, {
    '(202) 555-0123': '+12025550123',
    '(416) 555-0123': '+14165550123',
    '+12025550123': '+12025550123',
    '+15005550006': '+15005550006',
    '+442071838750': '+442071838750',
    '+919876543210': '+919876543210',
    '2025550123': '+12025550123',
    '202-555-0123': '+12025550123',
    '604-555-0123': '+16045550123',
    '+44 20 7183 8750': '+442071838750',
    '+44 (0)20 7183-8750': '+442071838750',
    '+49.30.901820': '+4930901820',
    '+33\u00a01\u00a044 55 66 77': '+33144556677',
    '+1 (202) 555-0123': '+12025550123',
    '202.555.0123': '+12025550123'
  })
  all(
    phoneNumber,
    none(
      '',
      '+',
      '+1',
      '+1911',
      '911',
      '555-0123',
      '0123456789',
      '++12025550123',
      '12025550123',
      '( ) - .',
      '+12025550123;ext=5',
      '(202) 555-0123 x45',
      '+12025550123\n',
      '＋１２０２５５５０１２３',
      '00442071838750',
      '+999123456789',
      '+1202555012345',
      '2025550123, +33612345678',
      'tel:+12025550123',
      'abc'
    )
  )
})

test('returns IANA time zones in their canonical case', () => {
  all(timeZone, {
    'America/New_York': 'America/New_York',
    'Asia/Kolkata': 'Asia/Kolkata',
    'america/argentina/buenos_aires': 'America/Argentina/Buenos_Aires',
    EST: 'EST',
    'Etc/GMT+5': 'Etc/GMT+5',
    'US/Pacific': 'US/Pacific',
    utc: 'UTC'
  })
  all(
    timeZone,
    none(
      '',
      '+05:30',
      '-0800',
      'UTC+3',
      'BST',
      'PST',
      'IST',
      'Mars/Base',
      'Local',
      'Factory',
      'SystemV/EST5',
      'America/New York',
      'America/New_York ',
      '../etc/passwd',
      'x'.repeat(100_000)
    )
  )
})

test('accepts user ids of 1 to 255 characters', () => {
  all(userId, same('a', 'a:b', '😀'.repeat(255), ' ', 'x'.repeat(255)))
  all(userId, none('', '😀'.repeat(256), 'x'.repeat(256), 'a\0'))
})

test('refuses 100 kB of any text within 20 ms', () => {
  const texts = [
    'a'.repeat(100_000),
    'a.'.repeat(50_000),
    `a@${'a-'.repeat(50_000)}`,
    `a@${'a.'.repeat(50_000)}`,
    '+'.repeat(100_000),
    '1'.repeat(100_000),
    '('.repeat(100_000),
    'A/'.repeat(50_000)
  ]
  for (const schema of [emailAddress, phoneNumber, timeZone]) {
    for (const text of texts) {
      const cpuMs = startCpuTimer()
      assert.equal(schema.safeParse(text).success, false)
      const took = cpuMs()
      assert.ok(took < 50, `${took} ms for ${text.slice(0, 10)}`)
    }
  }
})
