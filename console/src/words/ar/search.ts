import type { search as words } from '../en/search.ts';

export const search: Record<keyof typeof words, string> = {
  'inbox.searching': 'جارٍ البحث…',
  'inbox.search_count':
    '{count, plural, =0 {لا نتائج} zero {لا نتائج} one {نتيجة واحدة} two {نتيجتان} few {# نتائج} many {# نتيجة} other {# نتيجة}}',
  'inbox.search_count_more':
    '{count, plural, =0 {لا نتائج حتى الآن} zero {لا نتائج حتى الآن} one {نتيجة واحدة حتى الآن} two {نتيجتان حتى الآن} few {# نتائج حتى الآن} many {# نتيجة حتى الآن} other {# نتيجة حتى الآن}}',
  'inbox.search_further': 'ابحث في رسائل أقدم',
  'inbox.search_in': 'البحث في',
  'inbox.search_kind_all': 'الكل',
  'inbox.search_kind_people': 'الأشخاص',
  'inbox.search_kind_messages': 'الرسائل',
  'inbox.search_author': 'كاتب الرسالة',
  'inbox.search_author_anyone': 'من أي شخص',
  'inbox.search_author_contact': 'من العميل',
  'inbox.search_author_business': 'منّا',
  'inbox.search_author_note': 'الملاحظات',
  'inbox.search_period': 'الفترة',
  'inbox.search_period_any': 'أي وقت',
  'inbox.search_period_week': 'آخر 7 أيام',
  'inbox.search_period_month': 'آخر 30 يومًا',
  'inbox.search_period_year': 'آخر سنة',
  'inbox.search_none': 'لا نتائج',
  'inbox.search_none_hint': 'جرّب كتابة أخرى أو جزءًا من الاسم أو رقم الهاتف.',
  'inbox.search_people': 'الأشخاص',
  'inbox.search_messages': 'الرسائل',
  'inbox.search_no_conversation': 'لا توجد محادثة مع جهة الاتصال هذه بعد.',
};
