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
  end: 'لا مزيد من الإشعارات',
  loading: 'جارٍ التحميل',
  emptyTitle: 'لا جديد لديك',
  emptyText: 'تظهر الإشعارات الجديدة هنا تلقائيًا.',
  emptyUnreadTitle: 'لا شيء غير مقروء',
  emptyUnreadText: 'تظهر الإشعارات الجديدة هنا إلى أن تقرأها.',
  emptyArchivedTitle: 'لا شيء في الأرشيف',
  emptyArchivedText: 'تظهر هنا الإشعارات التي تؤرشفها.',
  errorTitle: 'لم تُحمَّل إشعاراتك',
  errorText: 'أعد المحاولة. إن لم ينجح ذلك، فتحقق من اتصالك.',
  moreErrorTitle: 'لم تُحمَّل بعض الإشعارات',
  refusedTitle: 'لا يمكن عرض إشعاراتك',
  refusedText: 'أعد تحميل الصفحة، أو سجّل الدخول من جديد.',
  retry: 'إعادة المحاولة',
  offlineTitle: 'أنت غير متصل.',
  unreachableTitle: 'لا يمكن تحميل الإشعارات الجديدة الآن.',
  offlineText: time => `تُعرض الإشعارات التي حُمّلت قبل ${time}.`,
  notSaved: 'تعذّر حفظ تغييرك وتم التراجع عنه.',

  pushPromptTitle: 'تلقَّ الإشعارات حتى عندما تكون هذه الصفحة مغلقة',
  pushPromptText: 'اسمح لهذا المتصفح بعرض الإشعارات. يمكنك اختيار أيّها.',
  pushPromptYes: 'تفعيل',
  pushPromptNo: 'ليس الآن',

  newItems: arrivals,
  arrived: (n, title) => (n === 1 ? `إشعار جديد: ${title}` : arrivals(n)),

  preferences: 'تفضيلات الإشعارات',
  preferencesText: 'اختر الإشعارات التي تصلك، وأين، وكم مرة.',
  preferencesSaved: 'تُحفظ التغييرات تلقائيًا.',
  saved: 'حُفظ',
  preferencesEmptyTitle: 'لا تفضيلات للإشعارات بعد',
  preferencesEmptyText: 'يظهر نوع الإشعار هنا بعد أن يصلك لأول مرة.',
  preferencesErrorTitle: 'لم تُحمَّل تفضيلاتك',

  INAPP_WEB: 'في التطبيق',
  EMAIL: 'البريد الإلكتروني',
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
  frequency: channel => `معدّل التكرار: ${channel}`,

  pages: 'الصفحات',
  page: n => `الصفحة ${n}`,
  previous: 'الصفحة السابقة',
  next: 'الصفحة التالية',
  range: (from, to) => `${from}–${to}`,
  rangeOf: (from, to, total) => `${from}–${to} من ${total}`
}
