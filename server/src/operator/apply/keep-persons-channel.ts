import type { StandingChannel } from '../../channels/queries.ts';
import { isOpenable, type SecretBox } from '../../secrets/encrypt.ts';
import type { Kept } from './kept.ts';
import type { FileChannel } from './workspace-file.ts';

const shown = ['name', 'display_phone', 'waba_id'] as const;
const secrets = ['access_token', 'app_secret', 'verify_token'] as const;

/**
 * What a file may change of a channel that a person connected or changed: secrets that no key opens. `kept` gets the rest; of a
 * secret it tells no value.
 */
export function keepPersonsChannel(
  secretBox: SecretBox,
  file: FileChannel,
  before: StandingChannel,
  kept: Kept[],
): FileChannel {
  const { phone_number_id } = file;
  const lost = secrets.filter((member) => !isOpenable(secretBox, before[member]));
  for (const member of shown) {
    const in_file = file[member];
    const value = before[member];
    if (in_file !== undefined && in_file !== value) kept.push({ channel: phone_number_id, member, value, in_file });
  }
  for (const member of secrets) {
    const in_file = file[member];
    if (in_file === undefined || lost.includes(member)) continue;
    const isSame = secretBox.open(before[member], `channels.${member}`) === in_file;
    if (!isSame) kept.push({ channel: phone_number_id, member, value: 'set in the console', in_file: 'another value' });
  }
  const given = lost.flatMap((member) => (file[member] === undefined ? [] : [[member, file[member]]]));
  return { phone_number_id, ...Object.fromEntries(given) };
}
