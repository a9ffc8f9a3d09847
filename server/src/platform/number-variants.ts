/**
 * The E.164 numbers that may belong to a platform id: the id itself, then its other spelling. Three countries write mobile
 * numbers with and without one digit (section 12).
 */
export function waIdVariants(wa_id: string): string[] {
  return [wa_id, ...variants(wa_id)].map((digits) => `+${digits}`);
}

function variants(wa_id: string): string[] {
  const rule = rules.find(({ form }) => form.test(wa_id));
  return rule ? [wa_id.replace(rule.form, rule.other)] : [];
}

/** Brazil puts a 9 before mobiles that start with 6 to 9. Mexico and Argentina put 1 and 9 after the country code. */
const rules = [
  { form: /^55(?<area>\d\d)9(?<line>[6-9]\d{7})$/, other: '55$<area>$<line>' },
  { form: /^55(?<area>\d\d)(?<line>[6-9]\d{7})$/, other: '55$<area>9$<line>' },
  { form: /^521(?<line>\d{10})$/, other: '52$<line>' },
  { form: /^52(?<line>\d{10})$/, other: '521$<line>' },
  { form: /^549(?<line>\d{10})$/, other: '54$<line>' },
  { form: /^54(?<line>\d{10})$/, other: '549$<line>' },
];
