-- An address is proven only by what its owner received: a mailed link, a link of the operator, or the issuer's word.
alter table people
  -- When the owner of the address proved it. Null: everything of this account may be another person's.
  add column proven_at timestamptz(3),
  -- What the proof ended: password, passkeys, authenticator, sessions.
  add column ended_by_proof text[] not null default '{}';

alter table sign_in_links
  -- An admin saw the link and gave it away by hand, so its use proves no address.
  add column by_hand boolean not null default false;
update sign_in_links set by_hand = true where invited_by is not null;
