import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ConformOptions } from '@majlis/conform';
import { checkConformance, printReport } from '@majlis/conform';
import { falsehoods } from '@majlis/testing/falsehoods';
import { newDigits } from '@majlis/testing/messages';
import { receiveMessage } from '@majlis/testing/receive-message';
import { startFalsifier } from '@majlis/testing/start-falsifier';
import { startTestService } from '@majlis/testing/start-test-service';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });

async function prepare(): Promise<ConformOptions> {
  const workspace = await majlis.workspace({ users: [{ name: 'Omar Ali', email: 'omar@acme.example' }] });
  const { key: second_key } = await majlis.workspace();
  const digits = newDigits();
  await receiveMessage(majlis, workspace, digits);
  return { url: majlis.url, key: workspace.key, second_key, to: `+${digits}`, webhook_port: 0 };
}

describe('the conformance suite tells of a service that', () => {
  for (const { says, clause, areas, also = [], falsify, mislead } of falsehoods) {
    it(`${says}: ${clause}`, async () => {
      const options = await prepare();
      const url = await startFalsifier(majlis.url, { key: options.key, falsify, ...(mislead && { mislead }) });
      const report = await checkConformance({ ...options, url, only: areas, patience_ms: 2_000 });
      const broken = report.clauses.filter(({ verdict }) => verdict === 'broken').map(({ id }) => id);
      assert.deepEqual(broken.toSorted(), [clause, ...also].toSorted(), printReport(report));
      for (const secret of [options.key, options.second_key!]) assert.ok(!printReport(report).includes(secret));
    });
  }
});
