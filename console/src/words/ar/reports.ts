import type { reports as words } from '../en/reports.ts';

export const reports: Record<keyof typeof words, string> = {
  'thread.call_customer_begun': 'اتصل {name}',
  'thread.call_customer_missed': 'مكالمة فائتة من {name}',
  'thread.call_customer_declined': 'مكالمة مرفوضة من {name}',
  'thread.call_customer_answered': 'مكالمة من {name}',
  'thread.call_customer_lasted': 'مكالمة من {name}، مدتها {time}',
  'thread.call_business_begun': 'اتصل النشاط التجاري بـ {name}',
  'thread.call_business_missed': 'لم يرد {name} على مكالمة من النشاط التجاري',
  'thread.call_business_declined': 'رفض {name} مكالمة من النشاط التجاري',
  'thread.call_business_answered': 'اتصل النشاط التجاري بـ {name}',
  'thread.call_business_lasted': 'اتصل النشاط التجاري بـ {name}، مدة المكالمة {time}',
  'thread.link_clicked': 'فتح {name} رابطًا في رسالة',
  'thread.payment': 'الدفعة {reference}: {state}',
  'thread.payment_of': 'الدفعة {reference} بمبلغ {amount}: {state}',
  'thread.payment_captured': 'مدفوعة',
  'thread.payment_success': 'مدفوعة',
  'thread.payment_completed': 'مدفوعة',
  'thread.payment_pending': 'قيد الانتظار',
  'thread.payment_failed': 'فشلت',
  'thread.payment_canceled': 'أُلغيت',
  'thread.payment_refunded': 'أُعيد مبلغها',
};
