// The words of all languages: each says one thing in one way, and has every plural form that its language knows.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

import { en, type Messages } from '../../components/messages/en.ts'
import { loadMessages } from '../../components/messages/index.ts'

const LANGUAGES = ['ar', 'de', 'es', 'fr', 'it', 'ja', 'nl', 'pt', 'zh'] as const
const ROOT = join(import.meta.dirname, '../..')

/** Numbers of every kind that a language tells apart. */
const NUMBERS = [0, 1, 2, 3, 11, 100, 1_000_000]

const counting = ({ counter, counterUnread, pill }: Messages): readonly ((n: number) => string)[] => [
  counter,
  counterUnread,
  pill
]

for (const lang of LANGUAGES) {
  test(`${lang}: every sentence is there, and each plural form is another one`, async () => {
    const words = (await loadMessages(lang))!
    assert.deepEqual(Object.keys(words).toSorted(), Object.keys(en).toSorted())
    const rules = new Intl.PluralRules(lang)
    const { pluralCategories } = rules.resolvedOptions()
    for (const sentence of counting(words)) {
      const bare = (n: number): string => sentence(n).replaceAll(/[\p{Nd}\s.,\u066b\u066c]+/gu, ' ')
      const forms = new Map(NUMBERS.map(n => [rules.select(n), bare(n)]))
      assert.deepEqual([...forms.keys()].toSorted(), pluralCategories.toSorted(), 'all kinds are tried')
      assert.equal(new Set(forms.values()).size, forms.size, [...forms.values()].join(' | '))
    }
  })
}

test('German calls a notification by one name, on pages and in the mails that lead to them', () => {
  const files = ['components/messages/de.ts', 'server/users/link-pages/preferences-messages.ts']
  for (const file of files) {
    const text = readFileSync(join(ROOT, file), 'utf8')
    assert.match(text, /Benachrichtigung/)
    assert.doesNotMatch(text, /Mitteilung/, file)
  }
})
