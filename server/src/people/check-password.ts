import { invalid } from '../http/reply/refusal.ts';

const shortest = 10;
const longest = 200;
let common: Promise<ReadonlySet<string>> | undefined;

/** Refuses a short password, one with the name of the e-mail address, and the 49,000 passwords that are known best from breaches. */
export async function checkPassword(password: string, email: string): Promise<void> {
  const fault = await findFault(password, email);
  if (fault) throw invalid({ detail: fault, pointer: '/password' });
}

async function findFault(password: string, email: string): Promise<string | undefined> {
  const length = [...password.slice(0, longest * 2)].length;
  if (length < shortest) return `needs ${shortest} characters or more`;
  if (length > longest) return `may have ${longest} characters at most`;
  const lower = password.toLowerCase();
  const [name = ''] = email.split('@');
  // A short name stands in many words by chance.
  if (lower.includes(email) || (name.length > 3 && lower.includes(name))) {
    return 'must not contain the name in the e-mail address';
  }
  if (new Set(lower).size < 4) return 'needs more than three different characters';
  common ??= loadCommon();
  if ((await common).has(lower)) return 'is among the passwords that attackers try first';
  return undefined;
}

/** The list takes 3 MB, so it is loaded when the first password is set. */
async function loadCommon(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  return new Set(dictionary['passwords-common'].map(String));
}
