// The words of the page, as HTML.

import type { Channel, Delivery } from '#protocol'

import type { Language } from './link-page.ts'

export interface Words {
  readonly title: string
  readonly ask: string
  readonly save: string
  readonly saved: string
  readonly empty: string
  readonly unknown: string
  readonly channels: Readonly<Record<Channel, string>>
  readonly deliveries: Readonly<Record<Delivery, string>>
}

export const WORDS: Readonly<Record<Language, Words>> = {
  ar: {
    ask: 'اختر ما يصلك، وأين، وكم مرة.',
    channels: {
      CALL: 'مكالمة',
      EMAIL: 'البريد الإلكتروني',
      INAPP_WEB: 'داخل التطبيق',
      PUSH: 'إشعار على الهاتف',
      SLACK: 'Slack',
      SMS: 'رسالة نصية',
      WEB_PUSH: 'إشعار المتصفح'
    },
    deliveries: {
      daily: 'يوميًا',
      hourly: 'كل ساعة',
      instant: 'فورًا',
      monthly: 'شهريًا',
      off: 'إيقاف',
      weekly: 'أسبوعيًا'
    },
    empty: 'لا يوجد ما تختاره بعد.',
    save: 'حفظ',
    saved: 'تم الحفظ.',
    title: 'تفضيلات الإشعارات',
    unknown: 'هذا الرابط غير صالح.'
  },
  de: {
    ask: 'Wählen Sie, was Sie erreicht, wo und wie oft.',
    channels: {
      CALL: 'Anruf',
      EMAIL: 'E-Mail',
      INAPP_WEB: 'In der App',
      PUSH: 'Push aufs Handy',
      SLACK: 'Slack',
      SMS: 'SMS',
      WEB_PUSH: 'Push im Browser'
    },
    deliveries: {
      daily: 'Täglich',
      hourly: 'Stündlich',
      instant: 'Sofort',
      monthly: 'Monatlich',
      off: 'Aus',
      weekly: 'Wöchentlich'
    },
    empty: 'Noch nichts zu wählen.',
    save: 'Speichern',
    saved: 'Gespeichert.',
    title: 'Benachrichtigungen einstellen',
    unknown: 'Dieser Link gilt nicht.'
  },
  en: {
    ask: 'Choose what reaches you, where and how often.',
    channels: {
      CALL: 'Call',
      EMAIL: 'Email',
      INAPP_WEB: 'In app',
      PUSH: 'Mobile push',
      SLACK: 'Slack',
      SMS: 'SMS',
      WEB_PUSH: 'Web push'
    },
    deliveries: {
      daily: 'Daily',
      hourly: 'Hourly',
      instant: 'Instant',
      monthly: 'Monthly',
      off: 'Off',
      weekly: 'Weekly'
    },
    empty: 'Nothing to choose yet.',
    save: 'Save',
    saved: 'Saved.',
    title: 'Notification preferences',
    unknown: 'This link is not valid.'
  }
}
