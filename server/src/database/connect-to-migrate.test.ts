import assert from 'node:assert/strict';
import { it } from 'node:test';
import { checkServer } from './connect-to-migrate.ts';

it('refuses PostgreSQL 14 in one line, and takes 15', () => {
  assert.throws(() => checkServer({ number: 140_012, version: '14.12', encoding: 'UTF8' }), {
    name: 'CannotRun',
    message: 'the database runs PostgreSQL 14.12; Majlis needs 15 or newer',
  });
  checkServer({ number: 150_000, version: '15.0', encoding: 'UTF8' });
});
