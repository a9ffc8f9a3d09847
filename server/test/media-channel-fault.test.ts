import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import { describe, it } from 'node:test';
import { eventually } from '@majlis/testing/eventually';
import { listen } from '@majlis/testing/listen';
import { samples } from '@majlis/testing/media';
import { newDigits } from '@majlis/testing/messages';
import { postNotification } from '@majlis/testing/notifications';
import { startTestService, type TestWorkspace } from '@majlis/testing/start-test-service';
import { parseId } from '../src/database/ids.ts';

const bytes = samples.pdf;
const sha256 = createHash('sha256').update(bytes).digest('hex');
const renewed = 'Bearer new-token';
// As the platform words it, and as a gateway before it does.
const refusals = [JSON.stringify({ error: { code: 190, message: 'Session has expired' } }), '<html>'];
/** The tokens with which a file was asked for. */
const asked: (string | undefined)[] = [];

/** Knows of the token that is to come, and refuses every other. */
const platform = createServer(({ url, headers }, response) => {
  if (url === '/file') return response.end(bytes);
  if (!url!.startsWith('/v24.0/77')) return response.writeHead(503).end();
  asked.push(headers.authorization);
  if (headers.authorization !== renewed) return response.writeHead(401).end(refusals[asked.length % 2]);
  const file = { url: `http://${headers.host}/file`, sha256, file_size: bytes.length, id: '77' };
  return response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(file));
});
const majlis = await startTestService({
  env: { CHATAPP_API_URL: `${await listen(platform)}/v24.0`, RATE_LIMITS: 'off' },
});

/** Customers send so many files to the number. */
async function receive(workspace: TestWorkspace, count: number): Promise<void> {
  const timestamp = String(Math.floor(Date.now() / 1000));
  const document = { id: '77', mime_type: 'application/pdf', filename: 'a.pdf' };
  const messages = Array.from({ length: count }, () => {
    const from = newDigits();
    return { from, id: `wamid.${from}`, timestamp, type: 'document', document };
  });
  await postNotification(majlis, workspace, { messages });
}

const renewToken = ({ phone_number_id, applied }: TestWorkspace, access_token: string) =>
  majlis.operator('PUT', '/workspaces', {
    workspace: { name: applied.workspace.name },
    channels: [{ type: 'chatapp', phone_number_id, access_token }],
  });

/** Waits until the files of the number are put off, and none is being asked for. */
async function untilPaused({ channel_id }: TestWorkspace): Promise<void> {
  await eventually(
    () =>
      majlis.sql<{ waits: boolean }>(
        `select not exists (select from jobs where kind = $1 and group_id = $2 and leased_until is not null)
           and exists (select from job_groups where kind = $1 and group_id = $2 and paused_until > $3) as waits`,
        ['messages.fetch_media', parseId('channel', channel_id), new Date(Date.now() + advanced * 1000)],
      ),
    ([row]) => row!.waits,
  );
}
let advanced = 0;
async function advance(seconds: number): Promise<void> {
  advanced += seconds;
  await majlis.advance(seconds);
}

async function untilFetched(workspace: TestWorkspace, count: number): Promise<void> {
  await eventually(
    async () => {
      await advance(31);
      return majlis.sql<{ count: number }>('select count(*)::int as count from media where workspace_id = $1', [
        parseId('workspace', workspace.id),
      ]);
    },
    ([row]) => row!.count === count,
  );
}

describe('a number whose token is refused', () => {
  it('is asked for one file at a time, and has them all once its token is right', async () => {
    const workspace = await majlis.workspace();
    await receive(workspace, 200);
    await untilPaused(workspace);
    // As many as were under way when the first was refused.
    assert.ok(asked.length <= 4, String(asked.length));
    for (let pauses = 0; pauses < 4; pauses++) {
      const before = asked.length;
      await advance(31);
      await eventually(
        () => asked.length,
        (calls) => calls > before,
      );
      await untilPaused(workspace);
      assert.equal(asked.length, before + 1);
    }
    assert.equal((await renewToken(workspace, 'new-token')).status, 200);
    await untilFetched(workspace, 200);
    assert.equal(asked.filter((token) => token === renewed).length, 200);
  });

  it('is not asked for files while that is known from its sends', async () => {
    const workspace = await majlis.workspace();
    await renewToken(workspace, 'new-token');
    await majlis.sql(`update channels set fault = '190: Session has expired', fault_until = $2 where id = $1`, [
      parseId('channel', workspace.channel_id),
      new Date(Date.now() + (advanced + 30) * 1000),
    ]);
    asked.length = 0;
    await receive(workspace, 20);
    await untilPaused(workspace);
    assert.equal(asked.length, 0);
    await untilFetched(workspace, 20);
  });
});
