import { it } from 'node:test';
import { installNode } from '@majlis/testing/install-node';
import { startTestService } from '@majlis/testing/start-test-service';
import { tryReceiver } from '@majlis/testing/try-receiver';

const majlis = await startTestService();

// A business runs its receiver on the Node.js that it has.
for (const version of ['20.20.2', '22.23.3']) {
  it(`the receiver of docs/events.md runs on Node.js ${version}`, async () => {
    await tryReceiver(majlis, await installNode(version));
  });
}
