import assert from 'node:assert/strict';
import { it } from 'node:test';
import { newDigits } from '@majlis/testing/messages';
import { joinWorkspace } from '@majlis/testing/people';
import { receiveMessage } from '@majlis/testing/receive-message';
import { startTestService } from '@majlis/testing/start-test-service';

const majlis = await startTestService();

it('the closing reasons are listed in their order, and a person closes with one of the own workspace alone', async () => {
  const workspace = await majlis.workspace({ closing_categories: [{ name: 'Solved' }, { name: 'Spam' }] });
  const agent = await joinWorkspace(majlis, workspace, { role: 'agent' });
  const { data } = (await agent.at('GET', '/closing-categories')).body;
  assert.deepEqual(
    data.map(({ name }: { name: string }) => name),
    ['Solved', 'Spam'],
  );
  const { conversation_id } = await receiveMessage(majlis, workspace, newDigits());
  const closed = await agent.at('POST', `/conversations/${conversation_id}/close`, { category_id: data[1].id });
  assert.deepEqual([closed.status, closed.body.status], [200, 'closed']);
  const other = await joinWorkspace(majlis, await majlis.workspace());
  assert.deepEqual((await other.at('GET', '/closing-categories')).body.data, []);
});
