-- Up to which moment the platform's word on marketing is known: reports come late, more than once and in any order.
alter table contacts add column marketing_told_at timestamptz(3);
