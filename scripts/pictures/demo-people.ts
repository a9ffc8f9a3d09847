/** Customers of the demo workspace, the latest last: both languages, short and long names. */
export const customers = [
  { phone: '+96891000001', name: 'Thomas Oppenheimer-Vandersteen', texts: ['Do you ship to Salalah?'] },
  { phone: '+96891000002', name: 'سالم بن ناصر الهنائي', texts: ['السلام عليكم', 'متى تفتحون يوم الجمعة؟'] },
  { phone: '+96891000003', name: 'Priya Raman', texts: ['The blue one, please.', 'In size M', 'Thanks!'] },
  { phone: '+96891000004', name: 'فاطمة الزدجالية', texts: ['أريد استبدال الطلب A-1042'] },
  { phone: '+96891000005', name: 'Khalid', texts: ['Is the store in Muttrah open?'] },
  { phone: '+96891000006', name: 'مريم Al Balushi', texts: ['شكراً Aisha 🌷'] },
  { phone: '+96891000007', name: 'Jonas', texts: ['Where is my order?', 'Number A-1187'] },
];

export const people = [
  { name: 'سارة الكندية', email: 'sara@acme.example', role: 'supervisor' },
  { name: 'Yusuf Rahman', email: 'yusuf@acme.example', role: 'agent' },
];

export const invitations = [
  { email: 'hamed@acme.example', role: 'admin' },
  { email: 'lubna.al-harthy@acme.example', role: 'agent' },
];
