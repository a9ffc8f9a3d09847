import assert from 'node:assert/strict';
import { it } from 'node:test';
import { personRules } from '@majlis/console-api';
import { audit } from './en/audit.ts';

it('the activity log has words for each recorded operation of the contract', () => {
  const recorded = Object.entries(personRules).flatMap(([id, rule]) => (rule.audited ? [id] : []));
  assert.ok(recorded.length > 20);
  assert.deepEqual(
    recorded.filter((id) => !Object.hasOwn(audit, `audit.act_${id}`)),
    [],
  );
});
