/** The credits of a form; null where the field is empty, which is no limit. */
export function readCredits(form: FormData): number | null {
  const text = String(form.get('monthly_credits') ?? '').trim();
  return text === '' ? null : Number(text);
}
