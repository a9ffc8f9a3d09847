import type { contacts as words } from '../en/contacts.ts';

export const contacts: Record<keyof typeof words, string> = {
  'contact.refused': 'هذه القيمة غير مناسبة. تحقق من كتابتها.',
  'contact.tags_all': 'عرض الكل ({count})',
  'contact.tag_new': 'اضغط Enter لإضافة وسم جديد',
  'consent.record': 'تسجيل موافقة',
  'consent.history': 'سجل الموافقات',
  'consent.all': 'السجل الكامل',
  'consent.former_member': 'عضو سابق',
  'consent.by_contact': 'جهة الاتصال',
  'consent.source_api': 'عبر الواجهة البرمجية',
  'consent.source_console': 'في لوحة التحكم',
  'consent.source_import': 'عبر استيراد',
  'consent.source_merge': 'بدمج جهتي اتصال',
  'consent.source_workflow': 'عبر سير عمل',
  'consent.source_inbound_message': 'برسالة من جهة الاتصال',
  'consent.source_platform': 'في تطبيق المراسلة',
  'merge.open': 'دمج',
  'erase.open': 'حذف نهائي',
};
