import type { palette as words } from '../en/palette.ts';

export const palette: Record<keyof typeof words, string> = {
  'palette.title': 'الأوامر',
  'palette.open': 'البحث عن أمر',
  'palette.search': 'ماذا تريد أن تفعل، أو عمّن تبحث؟',
  'palette.none': 'لا أمر ولا عميل بهذا الاسم',
  'palette.conversations': 'المحادثات',
  'palette.shortcuts': 'اختصارات لوحة المفاتيح',
  'palette.layout_hint': 'يُعرف الحرف اللاتيني حيثما وضعته لوحة المفاتيح، وتُعرف مفاتيح اللوحة العربية بمواضعها.',
  'palette.group_list': 'قائمة المحادثات',
  'palette.group_conversation': 'المحادثة',
  'palette.group_composer': 'الكتابة',
  'palette.group_go': 'الانتقال',
  'palette.group_app': 'في كل مكان',
  'palette.go': 'انتقل إلى: {place}',
  'palette.single_keys': 'اختصارات المفتاح الواحد، مثل E لإغلاق المحادثة',
};
