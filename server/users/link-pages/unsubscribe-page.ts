// Renders the unsubscribe page in the language of the reader. It has a button, because mail scanners open links but press no buttons.

import { escapeHtml } from '../../core/escape-html.ts'
import type { Answer } from '../../http/route.ts'
import { renderLinkPage, type Language } from './link-page.ts'

interface Messages {
  readonly title: string
  /** `{}` is replaced by the title of the type. */
  readonly ask: string
  readonly button: string
  readonly done: string
  readonly more: string
  readonly unknown: string
}

const MESSAGES: Readonly<Record<Language, Messages>> = {
  ar: {
    ask: 'هل تريد إلغاء الاشتراك في رسائل البريد الإلكتروني «{}»؟',
    button: 'إلغاء الاشتراك',
    done: 'لن تصلك بعد الآن رسائل البريد الإلكتروني «{}».',
    more: 'إدارة تفضيلات الإشعارات',
    title: 'إلغاء الاشتراك',
    unknown: 'هذا الرابط غير صالح أو انتهت صلاحيته. افتح الرابط الموجود في رسالة بريد إلكتروني أحدث.'
  },
  de: {
    ask: 'E-Mails „{}“ abbestellen?',
    button: 'Abbestellen',
    done: 'Sie erhalten keine E-Mails „{}“ mehr.',
    more: 'Benachrichtigungen einstellen',
    title: 'Abbestellen',
    unknown: 'Dieser Link ist ungültig oder abgelaufen. Öffnen Sie den Link in einer neueren E-Mail.'
  },
  en: {
    ask: 'Unsubscribe from “{}” emails?',
    button: 'Unsubscribe',
    done: 'You will no longer receive “{}” emails.',
    more: 'Manage your notification preferences',
    title: 'Unsubscribe',
    unknown: 'This link is not valid or has expired. Open the link in a more recent email.'
  }
}

export interface UnsubscribePageData {
  readonly title: string
  /** Address of the preferences page, relative to this page. */
  readonly preferences: string
}

/** @param about - undefined if the link is not valid */
export function renderUnsubscribePage(
  language: Language,
  state: 'ask' | 'done',
  about: UnsubscribePageData | undefined
): Answer {
  const words = MESSAGES[language]
  // A replacement function, because a title may contain `$&`.
  const text = about ? words[state].replace('{}', () => about.title) : words.unknown
  const form =
    about && state === 'ask' ? `<form method="post"><button>${escapeHtml(words.button)}</button></form>` : ''
  const more = about ? `<p><a href="${escapeHtml(about.preferences)}">${escapeHtml(words.more)}</a></p>` : ''
  const content = `<p>${escapeHtml(text)}</p>\n${form}\n${more}`
  return renderLinkPage({ content, language, status: about ? 200 : 404, title: words.title })
}
