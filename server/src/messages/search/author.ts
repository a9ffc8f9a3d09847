/** Who wrote a message: the contact, the business to the contact, or the team for itself. */
export type Author = 'contact' | 'business' | 'note';

export function authorOf({ direction, kind }: { direction: string; kind: string }): Author {
  if (kind === 'note') return 'note';
  return direction === 'inbound' ? 'contact' : 'business';
}
