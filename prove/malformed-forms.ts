import type { SeededRandom } from '@majlis/testing/seeded-random';

interface Form {
  type: string;
  body: Buffer;
}

const type = 'multipart/form-data; boundary=x';
const disposition = 'Content-Disposition: form-data; name="file"; filename="a.pdf"';
const part = `--x\r\n${disposition}\r\n\r\n%PDF-1.4\nhello\r\n`;
const total = 40;

/** Bodies that say they are forms with a file, and are not. */
const known: readonly (string | [type: string, body: string])[] = [
  '',
  '--x',
  '--x--',
  '--x--\r\n',
  part,
  `${part}--x`,
  `${part}--y--\r\n`,
  part.replaceAll('--x', '--y'),
  `--x\r\n${disposition}\r\n%PDF-1.4\r\n--x--\r\n`,
  `--x\r\nContent-Disposition form-data\r\n\r\nhello\r\n--x--\r\n`,
  `--x\r\nContent-Disposition: form-data; filename="a.pdf"\r\n\r\nhello\r\n--x--\r\n`,
  `--x\r\nContent-Disposition: form-data; name="other"; filename="a.pdf"\r\n\r\nhello\r\n--x--\r\n`,
  `--x\r\nContent-Disposition: form-data; name="file"\r\n\r\nhello\r\n--x--\r\n`,
  `${part}${part}--x--\r\n`,
  `${'--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n'.repeat(1_000)}--x--\r\n`,
  `--x\r\n${'X: y\r\n'.repeat(500)}\r\nhello\r\n--x--\r\n`,
  `--x\r\nX: ${'y'.repeat(100_000)}\r\n\r\nhello\r\n--x--\r\n`,
  ['multipart/form-data', part],
  ['multipart/form-data; boundary=', part],
  [`multipart/form-data; boundary=${'x'.repeat(100)}`, part],
  ['multipart/mixed; boundary=x', part],
  ['application/json', part],
];

/** The known ones, and right ones that are cut anywhere, up to the number that is asked for. */
export function malformedForms(random: SeededRandom): Form[] {
  const forms = known.map((form): Form => {
    const [of, body] = typeof form === 'string' ? [type, form] : form;
    return { type: of, body: Buffer.from(body) };
  });
  const whole = Buffer.from(`${part}--x--\r\n`);
  // Behind the closing boundary's last hyphen nothing is missing any more.
  while (forms.length < total) forms.push({ type, body: whole.subarray(0, random.between(0, whole.length - 4)) });
  return forms;
}
