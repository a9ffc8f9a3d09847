import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { before, describe, it } from 'node:test';
import { eventually } from '@majlis/testing/eventually';
import { addPlatformFile, downloadFile, samples, uploadFile } from '@majlis/testing/media';
import { newDigits, untilStatus } from '@majlis/testing/messages';
import { messageReceiver, receiveMessage } from '@majlis/testing/receive-message';
import { startTestService, type TestWorkspace } from '@majlis/testing/start-test-service';
import { publishWorkflows, startRun, untilRunEnded, untilWorkflowsIdle } from '@majlis/testing/workflows';
import { parseId } from '../src/database/ids.ts';

const majlis = await startTestService({ env: { RATE_LIMITS: 'off', UNUSED_UPLOAD_DAYS: '10' } });
const day = 86_400;
let workspace: TestWorkspace;
before(async () => {
  workspace = await majlis.workspace();
});

const folder = (...below: string[]) => path.join(majlis.data_dir, 'media', ...below);
const workspaceFolder = () => parseId('workspace', workspace.id)!;
const bytesOf = (media_id: string) =>
  readdir(folder(workspaceFolder())).then((names) => names.includes(parseId('media', media_id)!));
const uploaded = async () => (await uploadFile(majlis, workspace, samples.png)).body.id as string;
const isThere = async (media_id: string) => (await downloadFile(majlis, workspace, media_id)).status === 200;

async function sendTo(digits: string, media_id: string) {
  const heard = await receiveMessage(majlis, workspace, digits);
  const { body } = await workspace.api.post(`/conversations/${heard.conversation_id}/messages`, {
    kind: 'image',
    media_id,
  });
  await untilStatus(majlis, body.id, 'read');
  return heard;
}

describe('the cleaning up of media', () => {
  it('removes uploads that were never used, with their bytes, and none that a message or a template names', async () => {
    const [unused, sent, ofTemplate] = [await uploaded(), await uploaded(), await uploaded()];
    await sendTo(newDigits(), sent);
    // Of an account that the platform is not asked about, so that it stays as it is.
    await majlis.sql(
      `insert into templates (workspace_id, id, waba_id, name, language, category, components, status, updated_at)
       values ($1, $2, 'elsewhere', 'sale', 'en', 'marketing', $3, 'approved', now())`,
      [workspaceFolder(), randomUUID(), JSON.stringify([{ type: 'header', format: 'image', examples: [ofTemplate] }])],
    );
    await majlis.advance(9 * day);
    const young = await uploaded();
    await majlis.advance(2 * day);
    await eventually(
      () => isThere(unused),
      (there) => !there,
    );
    await eventually(
      () => bytesOf(unused),
      (there) => !there,
    );
    for (const kept of [sent, ofTemplate, young]) assert.ok(await isThere(kept));
  });

  it('removes no upload that a workflow names: in its present version, one that still runs, or the variables of a run', async () => {
    const [present, running, variable] = [await uploaded(), await uploaded(), await uploaded()];
    const [unread, replaced] = [await uploaded(), await uploaded()];
    const sends = (media_id: string) => ({ do: 'send_message', message: { kind: 'image', media_id } });
    const wait = { do: 'wait', for: '60d' };
    const named = (name: string, steps: object[]) => ({ name, trigger: 'api_call', steps });
    const ids = await publishWorkflows(
      majlis,
      workspace,
      named('Long', [wait, sends(running)]),
      named('Old', [sends(replaced)]),
    );
    const contact = { channel_type: 'chatapp', identifier: `+${newDigits()}` };
    const run = await startRun(workspace, ids.get('Long')!, contact, { picture: variable });
    // The 60 days count from the moment in which the run comes to the step.
    await untilWorkflowsIdle(majlis);
    await publishWorkflows(
      majlis,
      workspace,
      { ...named('Old', [sends(present)]), status: 'paused' },
      named('Long', [wait]),
    );
    await majlis.sql(
      `insert into knowledge_sources (workspace_id, id, type, name, media_id, status, created_at)
       values ($1, $2, 'file', 'unread', $3, 'waiting', now())`,
      [workspaceFolder(), randomUUID(), parseId('media', unread)],
    );
    await majlis.advance(11 * day);
    await eventually(
      () => isThere(replaced),
      (there) => !there,
    );
    for (const kept of [present, running, variable, unread]) assert.ok(await isThere(kept));

    await majlis.advance(50 * day);
    await untilRunEnded(majlis, workspace, run);
    await majlis.advance(day);
    for (const gone of [running, variable]) {
      await eventually(
        () => isThere(gone),
        (there) => !there,
      );
    }
    assert.ok(await isThere(present));
  });

  it('keeps an upload that a workflow names when the only contact who got it is erased, and no file of the contact', async () => {
    const [upload, digits] = [await uploaded(), newDigits()];
    const { conversation_id } = await sendTo(digits, upload);
    const platform_id = await addPlatformFile(majlis, workspace, samples.pdf, { type: 'application/pdf' });
    await messageReceiver(majlis, workspace)(digits, 'document', { id: platform_id });
    const { contact_id } = (await workspace.api.get(`/conversations/${conversation_id}`)).body;
    const received = await eventually(
      async () => (await workspace.api.get(`/conversations/${conversation_id}/messages`)).body.data.at(-1).media_id,
      (id) => id !== undefined,
    );
    const sends = (media_id: string) => ({ do: 'send_message', message: { kind: 'image', media_id } });
    await publishWorkflows(majlis, workspace, {
      name: 'Both',
      trigger: 'api_call',
      steps: [sends(upload), sends(received)],
    });
    assert.equal((await workspace.api.request('DELETE', `/contacts/${contact_id}`)).status, 204);
    assert.ok(await isThere(upload));
    assert.equal(await isThere(received), false);
  });

  it('removes bytes that no row knows, a day after they came, and what broke off on its way in', async () => {
    const [orphan, kept] = ['01900000-0000-7000-8000-000000000000', await uploaded()];
    const leftover = folder('incoming', randomUUID());
    await mkdir(folder('incoming'), { recursive: true });
    await writeFile(leftover, 'half');
    await utimes(leftover, 1, 1);
    const fresh = folder('incoming', randomUUID());
    await writeFile(fresh, 'still coming');
    await writeFile(folder(workspaceFolder(), orphan), 'nobody');
    await writeFile(folder('readme.txt'), 'not ours');
    await majlis.advance(day);
    await eventually(
      () => readdir(folder(workspaceFolder())),
      (names) => !names.includes(orphan),
    );
    assert.deepEqual(await readdir(folder('incoming')), [path.basename(fresh)]);
    assert.ok((await readdir(folder())).includes('readme.txt'));
    assert.ok(await isThere(kept));
  });

  it('goes with the last message that names a file when contacts are erased', async () => {
    const media_id = await uploaded();
    const first = await sendTo(newDigits(), media_id);
    const second = await sendTo(newDigits(), media_id);
    const erase = (contact_id: string) => workspace.api.request('DELETE', `/contacts/${contact_id}`);
    const contactOf = async (id: string) => (await workspace.api.get(`/conversations/${id}`)).body.contact_id;
    assert.equal((await erase(await contactOf(first.conversation_id))).status, 204);
    assert.ok(await isThere(media_id));
    assert.equal((await erase(await contactOf(second.conversation_id))).status, 204);
    assert.equal(await isThere(media_id), false);
    await eventually(
      () => bytesOf(media_id),
      (there) => !there,
    );
  });

  it('is one job for all processes', async () => {
    const other = await majlis.another();
    await majlis.advance(day);
    await eventually(
      () => majlis.sql(`select from jobs where kind = 'media.sweep_media'`),
      (rows) => rows.length === 1,
    );
    await other.stop();
  });
});
