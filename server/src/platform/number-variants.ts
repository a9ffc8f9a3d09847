/**
 * The E.164 numbers under which a contact may be known, given the platform's id of them: the id itself first, then the forms that
 * three countries write with and without a digit (section 12).
 */
export function waIdVariants(wa_id: string): string[] {
  return [wa_id, ...variants(wa_id)].map((digits) => `+${digits}`);
}

function variants(wa_id: string): string[] {
  const rule = rules.find(({ form }) => form.test(wa_id));
  return rule ? [wa_id.replace(rule.form, rule.other)] : [];
}

/** Brazil's mobiles start with 6 to 9 and have a ninth digit in front, 9; Mexico's and Argentina's have a 1 and a 9 after the country. */
const rules = [
  { form: /^55(?<area>\d\d)9(?<line>[6-9]\d{7})$/, other: '55$<area>$<line>' },
  { form: /^55(?<area>\d\d)(?<line>[6-9]\d{7})$/, other: '55$<area>9$<line>' },
  { form: /^521(?<line>\d{10})$/, other: '52$<line>' },
  { form: /^52(?<line>\d{10})$/, other: '521$<line>' },
  { form: /^549(?<line>\d{10})$/, other: '54$<line>' },
  { form: /^54(?<line>\d{10})$/, other: '549$<line>' },
];
