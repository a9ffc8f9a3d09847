import type { keys as words } from '../en/keys.ts';

export const keys: Record<keyof typeof words, string> = {
  'keys.change': 'تغيير مفتاح {name}',
  'keys.none': 'بلا مفتاح',
  'keys.give': 'إعطاء {name} مفتاحًا',
  'keys.take': 'إزالة مفتاح {name}',
  'keys.reset': 'إعادة مفتاح {name} إلى أصله',
  'keys.reset_all': 'إعادة كل المفاتيح إلى أصلها',
  'keys.press': 'اضغط المفتاح الجديد',
  'keys.moves': 'هذا المفتاح للتنقل أو التأكيد أو الإلغاء في كل مكان. اضغط حرفًا أو رقمًا أو علامة.',
  'keys.go': 'يبدأ G طرق الانتقال إلى الصفحات. اضغط مفتاحًا آخر.',
  'keys.browser': 'يحتاج المتصفح أو حقل الكتابة إلى هذه المفاتيح. اضغط غيرها.',
  'keys.clash': 'هذا مفتاح «{names}».',
  'keys.no_swap': 'لا يمكن تبديل المفتاحين. اضغط مفتاحًا آخر.',
  'keys.swap': 'تبديل المفتاحين',
  'keys.elsewhere': 'أمر في صفحة أخرى',
  'keys.group_proposals': 'الموافقات',
};
