// The page behind the link, in the reader's language: a button, because mail scanners open links but press nothing.

import { escapeHtml } from '../../core/escape-html.ts'
import type { Answer } from '../../http/route.ts'
import { leaf, type Language } from './link-page.ts'

interface Words {
  readonly title: string
  /** `{}`: title of the type. */
  readonly ask: string
  readonly button: string
  readonly done: string
  readonly more: string
  readonly unknown: string
}

const WORDS: Readonly<Record<Language, Words>> = {
  ar: {
    ask: 'هل تريد إيقاف رسائل البريد الإلكتروني «{}»؟',
    button: 'إيقاف',
    done: 'لن تصلك بعد الآن رسائل البريد الإلكتروني «{}».',
    more: 'اختر ما يصلك أيضًا',
    title: 'إلغاء الاشتراك',
    unknown: 'هذا الرابط غير صالح.'
  },
  de: {
    ask: 'Sollen keine E-Mails „{}“ mehr kommen?',
    button: 'Abbestellen',
    done: 'Es kommen keine E-Mails „{}“ mehr.',
    more: 'Wählen, was sonst noch kommt',
    title: 'Abbestellen',
    unknown: 'Dieser Link gilt nicht.'
  },
  en: {
    ask: 'Do you want no more e-mails “{}”?',
    button: 'Unsubscribe',
    done: 'You will get no more e-mails “{}”.',
    more: 'Choose what else reaches you',
    title: 'Unsubscribe',
    unknown: 'This link is not valid.'
  }
}

export interface About {
  /** Of the type. */
  readonly title: string
  /** Address of the preferences, from this page. */
  readonly preferences: string
}

/** @param about - undefined: the link is not ours */
export function pageOf(language: Language, state: 'ask' | 'done', about: About | undefined): Answer {
  const words = WORDS[language]
  // A function, because a title may have `$&` in it.
  const text = about ? words[state].replace('{}', () => about.title) : words.unknown
  const form =
    about && state === 'ask' ? `<form method="post"><button>${escapeHtml(words.button)}</button></form>` : ''
  const more = about ? `<p><a href="${escapeHtml(about.preferences)}">${escapeHtml(words.more)}</a></p>` : ''
  const content = `<p>${escapeHtml(text)}</p>\n${form}\n${more}`
  return leaf({ content, language, status: about ? 200 : 404, title: words.title })
}
