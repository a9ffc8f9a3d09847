import type { WordId } from '../words/word-id.ts';

/** What it means to a person that a member of the send is refused, where it is nothing that they have written. */
export const refusedMembers: Readonly<Record<string, WordId>> = {
  channel_id: 'composer.no_channel',
  contact_id: 'composer.no_address',
  'template/name': 'composer.template_no_opt_in',
};
