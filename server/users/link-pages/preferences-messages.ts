// The texts of the preferences page behind a link, as HTML. Channels and frequencies have the same names as in the elements.

import type { Channel, Delivery } from '#protocol'

import type { Language } from './link-page.ts'

export interface Messages {
  readonly title: string
  readonly ask: string
  readonly save: string
  readonly saved: string
  /** A choice was removed after the page was opened. */
  readonly notOffered: string
  readonly empty: string
  /** Heading of the switches of whole channels. */
  readonly everything: string
  readonly everythingHint: string
  readonly on: string
  /** The network stopped the channel. */
  readonly blocked: string
  /** The type locks the channel. */
  readonly locked: string
  readonly unknown: string
  readonly channels: Readonly<Record<Channel, string>>
  readonly deliveries: Readonly<Record<Delivery, string>>
}

export const MESSAGES: Readonly<Record<Language, Messages>> = {
  ar: {
    ask: 'اختر الإشعارات التي تصلك، وأين، وكم مرة.',
    channels: {
      CALL: 'مكالمة',
      EMAIL: 'البريد الإلكتروني',
      INAPP_WEB: 'في التطبيق',
      PUSH: 'إشعار الهاتف',
      SLACK: 'Slack',
      SMS: 'رسالة نصية',
      WEB_PUSH: 'إشعار المتصفح'
    },
    deliveries: {
      daily: 'يوميًا',
      hourly: 'كل ساعة',
      instant: 'فورًا',
      monthly: 'شهريًا',
      off: 'متوقف',
      weekly: 'أسبوعيًا'
    },
    blocked: 'متوقف من شبكة الهاتف',
    empty: 'ليست لديك تفضيلات للإشعارات بعد.',
    everything: 'كل الإشعارات',
    everythingHint: 'مفتاح واحد لكل قناة. تبقى خياراتك أدناه محفوظة.',
    locked: 'مفعّل دائمًا',
    notOffered: 'لم تُحفظ تفضيلاتك، لأن أحد الخيارات لم يعد متاحًا. اختر من جديد واحفظ.',
    on: 'مفعّل',
    save: 'حفظ',
    saved: 'تم حفظ تفضيلاتك.',
    title: 'تفضيلات الإشعارات',
    unknown: 'هذا الرابط غير صالح أو انتهت صلاحيته. افتح الرابط الموجود في رسالة بريد إلكتروني أحدث.'
  },
  de: {
    ask: 'Wählen Sie, welche Benachrichtigungen Sie erhalten, wo und wie oft.',
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
    blocked: 'Im Telefonnetz gestoppt',
    empty: 'Sie haben noch keine Einstellungen für Benachrichtigungen.',
    everything: 'Alles',
    everythingHint: 'Ein Schalter für einen ganzen Kanal. Ihre Auswahl darunter bleibt erhalten.',
    locked: 'Immer an',
    notOffered:
      'Ihre Einstellungen wurden nicht gespeichert, weil es eine Auswahl nicht mehr gibt. Wählen Sie neu und speichern Sie.',
    on: 'An',
    save: 'Speichern',
    saved: 'Ihre Einstellungen sind gespeichert.',
    title: 'Benachrichtigungen einstellen',
    unknown: 'Dieser Link ist ungültig oder abgelaufen. Öffnen Sie den Link in einer neueren E-Mail.'
  },
  en: {
    ask: 'Choose which notifications you get, where and how often.',
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
    blocked: 'Stopped at your phone network',
    empty: 'You have no notification preferences yet.',
    everything: 'Everything',
    everythingHint: 'One switch for a whole channel. Your choices below are kept.',
    locked: 'Always on',
    notOffered:
      'Your preferences were not saved, because a choice is no longer available. Choose again and save.',
    on: 'On',
    save: 'Save',
    saved: 'Your preferences are saved.',
    title: 'Notification preferences',
    unknown: 'This link is not valid or has expired. Open the link in a more recent email.'
  }
}
