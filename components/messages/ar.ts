// Arabic: six plural forms and the other direction.

import type { Messages } from './en.ts'
import { plural } from './plural.ts'

const arrivals = plural('ar', {
  few: '# إشعارات جديدة',
  many: '# إشعارًا جديدًا',
  one: 'إشعار جديد',
  other: '# إشعار جديد',
  two: 'إشعاران جديدان',
  zero: 'لا إشعارات جديدة'
})

export const ar: Messages = {
  title: 'الإشعارات',
  bell: n => `الإشعارات، ${n}`,
  bellUnread: n => `الإشعارات، غير المقروءة: ${n}`,
  bellDot: 'الإشعارات، توجد إشعارات غير مقروءة',
  counter: plural('ar', {
    few: '# إشعارات',
    many: '# إشعارًا',
    one: 'إشعار واحد',
    other: '# إشعار',
    two: 'إشعاران',
    zero: 'لا إشعارات'
  }),
  counterUnread: plural('ar', {
    few: '# إشعارات غير مقروءة',
    many: '# إشعارًا غير مقروء',
    one: 'إشعار واحد غير مقروء',
    other: '# إشعار غير مقروء',
    two: 'إشعاران غير مقروءين',
    zero: 'لا إشعارات غير مقروءة'
  }),

  show: 'عرض',
  all: 'الكل',
  unread: 'غير المقروءة',
  archived: 'المؤرشفة',
  readAll: 'تعليم الكل كمقروء',
  archiveAll: 'أرشفة الكل',
  close: 'إغلاق',
  read: 'تعليم كمقروء',
  markUnread: 'تعليم كغير مقروء',
  archive: 'أرشفة',
  unarchive: 'نقل إلى الوارد',
  more: 'المزيد',
  newTab: '(يفتح في علامة تبويب جديدة)',
  unreadFlag: 'غير مقروء.',

  now: 'الآن',
  today: 'اليوم',
  earlier: 'سابقًا',
  end: 'وصلت إلى أول إشعار',
  loading: 'جارٍ التحميل',
  emptyTitle: 'لا جديد لديك',
  emptyText: 'ستظهر الإشعارات الجديدة هنا من تلقاء نفسها.',
  emptyUnreadTitle: 'لا شيء غير مقروء',
  emptyUnreadText: 'لقد اطّلعت على كل شيء.',
  emptyArchivedTitle: 'لا شيء في الأرشيف',
  emptyArchivedText: 'ما تؤرشفه يُحفظ هنا.',
  errorTitle: 'لم تُحمَّل الإشعارات',
  errorText: 'انقطع الاتصال. لم يضِع شيء.',
  refusedTitle: 'لا يمكن فتح هذا الوارد',
  retry: 'إعادة المحاولة',
  offlineTitle: 'أنت غير متصل.',
  unreachableTitle: 'لا يمكن الوصول إلى الخادم.',
  offlineText: time => `يُعرض ما حُفظ في ${time}.`,
  notSaved: 'تعذّر الحفظ وأُلغي التغيير.',

  optInTitle: 'اعرف الجديد حتى عندما تكون هذه الصفحة مغلقة',
  optInText: 'اسمح لهذا المتصفح بعرض الإشعارات. أنت تختار أيّها.',
  optInYes: 'تفعيل',
  optInNo: 'ليس الآن',

  pill: arrivals,
  arrived: (n, title) => (n === 1 ? `إشعار جديد: ${title}` : arrivals(n)),

  preferences: 'تفضيلات الإشعارات',
  preferencesText: 'اختر ما يصلك، وأين، وكم مرة.',
  preferencesKept: 'تُحفظ التغييرات فور إجرائها.',
  saved: 'حُفظ',
  preferencesEmptyTitle: 'لا شيء لاختياره بعد',
  preferencesEmptyText: 'ما وصلك مرة يظهر هنا.',
  preferencesErrorTitle: 'لم تُحمَّل التفضيلات',

  INAPP_WEB: 'في التطبيق',
  EMAIL: 'البريد',
  SMS: 'رسالة نصية',
  CALL: 'مكالمة',
  PUSH: 'إشعار الهاتف',
  WEB_PUSH: 'إشعار المتصفح',
  SLACK: 'Slack',

  off: 'متوقف',
  instant: 'فورًا',
  hourly: 'كل ساعة',
  daily: 'يوميًا',
  weekly: 'أسبوعيًا',
  monthly: 'شهريًا',
  always: 'مفعّل دائمًا',
  often: channel => `${channel}، كم مرة`,

  pages: 'الصفحات',
  page: n => `الصفحة ${n}`,
  previous: 'الصفحة السابقة',
  next: 'الصفحة التالية',
  range: (from, to) => `${from}–${to}`,
  rangeOf: (from, to, total) => `${from}–${to} من ${total}`
}
