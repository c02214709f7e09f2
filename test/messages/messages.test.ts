// The texts of all languages: every language has all texts and all plural forms, and names a notification in one way.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

import { en, type Messages } from '../../components/messages/en.ts'
import { loadMessages } from '../../components/messages/index.ts'
import { MESSAGES } from '../../server/users/link-pages/preferences-messages.ts'

const LANGUAGES = ['ar', 'de', 'es', 'fr', 'it', 'ja', 'nl', 'pt', 'zh'] as const
const ROOT = join(import.meta.dirname, '../..')

/** Numbers of every plural category of these languages. */
const NUMBERS = [0, 1, 2, 3, 11, 100, 1_000_000]

const pluralTexts = ({ counter, counterNew, newItems }: Messages): readonly ((n: number) => string)[] => [
  counter,
  counterNew,
  newItems
]

for (const lang of LANGUAGES) {
  test(`${lang} has every text, and a different text for each plural form`, async () => {
    const messages = (await loadMessages(lang))!
    assert.deepEqual(Object.keys(messages).toSorted(), Object.keys(en).toSorted())
    const rules = new Intl.PluralRules(lang)
    const { pluralCategories } = rules.resolvedOptions()
    for (const text of pluralTexts(messages)) {
      const bare = (n: number): string => text(n).replaceAll(/[\p{Nd}\s.,\u066b\u066c]+/gu, ' ')
      const forms = new Map(NUMBERS.map(n => [rules.select(n), bare(n)]))
      assert.deepEqual([...forms.keys()].toSorted(), pluralCategories.toSorted(), 'every category is tested')
      assert.equal(new Set(forms.values()).size, forms.size, [...forms.values()].join(' | '))
    }
  })
}

test('German has one word for a notification, in the elements and on the pages behind links', () => {
  const files = ['components/messages/de.ts', 'server/users/link-pages/preferences-messages.ts']
  for (const file of files) {
    const text = readFileSync(join(ROOT, file), 'utf8')
    assert.match(text, /Benachrichtigung/)
    assert.doesNotMatch(text, /Mitteilung/, file)
  }
})

test('the preferences page behind a link names channels and frequencies as the elements do', async () => {
  for (const [lang, page] of Object.entries(MESSAGES)) {
    const messages = lang === 'en' ? en : (await loadMessages(lang))!
    for (const names of [page.channels, page.deliveries]) {
      for (const [key, name] of Object.entries(names)) {
        assert.equal(name, messages[key as keyof typeof page.channels], `${lang} ${key}`)
      }
    }
  }
})
