-- The account through which the platform told the user id. Each portfolio of accounts has an id of its own for one person, so that a
-- contact with channels of several portfolios has several, each as an identity. Null where nobody told it.
alter table contact_identities add column waba_id text;
