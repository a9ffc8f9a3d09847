import type { canned as words } from '../en/canned.ts';

export const canned: Record<keyof typeof words, string> = {
  'canned.title': 'الردود الجاهزة',
  'canned.hint': 'اكتب / في المحادثة لإدراج رد جاهز.',
  'canned.search': 'البحث ببداية الاسم',
  'canned.empty': 'لا توجد ردود جاهزة بعد',
  'canned.more': 'عرض المزيد',
  'canned.create': 'رد جاهز جديد',
  'canned.edit': 'تعديل',
  'canned.own': 'لك وحدك',
  'canned.shared': 'للجميع',
  'canned.share': 'مشاركته مع كل من في مساحة العمل',
  'canned.name': 'الاسم المختصر',
  'canned.name_hint': 'حروف وأرقام و- و_. هو ما يُكتب بعد الشرطة المائلة.',
  'canned.body': 'النص',
  'canned.variables_hint': 'تُملأ الأسماء عند إدراج الرد:',
  'canned.variable_contact_name': 'اسم جهة الاتصال',
  'canned.variable_contact_first_name': 'الاسم الأول لجهة الاتصال',
  'canned.variable_agent_name': 'اسمك',
  'canned.variable_agent_first_name': 'اسمك الأول',
  'canned.variable_workspace_name': 'اسم مساحة العمل',
  'canned.delete': 'حذف',
  'canned.delete_title': 'حذف {name}؟',
  'canned.delete_hint': 'لا يمكن استرجاعه.',
  'canned.delete_own': 'هو لك وحدك.',
  'canned.delete_shared':
    '{count, plural, =0 {} one {هو لدى شخص واحد، ويفقده.} two {هو لدى شخصين، ويفقدانه.} few {هو لدى # أشخاص، ويفقدونه.} many {هو لدى # شخصًا، ويفقدونه.} other {هو لدى # شخص، ويفقدونه.}}',
};
