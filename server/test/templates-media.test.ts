import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertRefused } from '@majlis/testing/assert-refused';
import { callControl } from '@majlis/testing/call-control';
import { eventually } from '@majlis/testing/eventually';
import { samples, uploadFile } from '@majlis/testing/media';
import { newDigits, untilDispatched, untilStatus } from '@majlis/testing/messages';
import { startTestService, type TestWorkspace } from '@majlis/testing/start-test-service';
import {
  fetchTemplate,
  forceTemplateSync,
  listAtPlatform,
  untilTemplate,
  untilTemplateInTime,
} from '@majlis/testing/templates';
import { parseId } from '../src/database/ids.ts';

// Templates whose header is a file: made from a sample, sent with a file of their own.
const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const workspace = await majlis.workspace();
const { api } = workspace;
const path = '/chatapp/templates';

const uploaded = async (bytes: Buffer, filename: string, of: TestWorkspace = workspace) => {
  const { status, body, text } = await uploadFile(majlis, of, bytes, { filename });
  assert.equal(status, 201, text);
  return body.id as string;
};

const templateOf = (name: string, format: string, sample: string) => ({
  name,
  language: 'en',
  category: 'utility',
  components: [
    { type: 'header', format, examples: [sample] },
    { type: 'body', text: `Look at {{1}}, ${name}.`, examples: ['it'] },
  ],
});

async function approved(name: string, format: string, sample: string): Promise<string> {
  const { status, body, text } = await api.post(path, templateOf(name, format, sample));
  assert.equal(status, 201, text);
  await untilTemplate(workspace, body.id, 'approved');
  return body.id;
}

const send = (name: string, header_media_id?: string) =>
  api.post('/messages', {
    to: `+${newDigits()}`,
    kind: 'template',
    template: { name, language: 'en', params: ['me'], ...(header_media_id && { header_media_id }) },
  });

describe('a template with a file in its header', () => {
  for (const [format, bytes, filename] of [
    ['image', samples.png, 'a.png'],
    ['video', samples.mp4, 'a.mp4'],
    ['document', samples.pdf, 'a.pdf'],
  ] as const) {
    it(`is made from a sample ${format} and sent with another`, async () => {
      const sample = await uploaded(bytes, filename);
      const name = `with_${format}`;
      const id = await approved(name, format, sample);
      const [there] = await listAtPlatform(majlis, workspace, name);
      const [header] = there!.components as { example: { header_handle: string[] } }[];
      assert.match(header!.example.header_handle[0]!, /^4::/);
      // The sample stays the one that was given, also once the template was read back.
      await forceTemplateSync(majlis, workspace);
      assert.deepEqual((await fetchTemplate(workspace, id)).components[0], {
        type: 'header',
        format,
        examples: [sample],
      });

      const file = await uploaded(bytes, `my ${filename}`);
      const sent = await send(name, file);
      assert.equal(sent.status, 201, sent.text);
      assert.deepEqual([sent.body.body, sent.body.media_id], [`Look at me, ${name}.`, file]);
      await untilStatus(majlis, sent.body.id, 'read');
      const entry = majlis.simulator.ledger().find((one) => one.biz_opaque_callback_data === sent.body.id);
      const [wire] = (entry!.body as { template: { components: { parameters: object[] }[] } }).template.components;
      const { parameters } = wire as unknown as { parameters: Record<string, { id: string; filename?: string }>[] };
      assert.equal(parameters[0]!.type, format);
      assert.match(parameters[0]![format]!.id, /^79/);
      assert.equal(parameters[0]![format]!.filename, format === 'document' ? `my ${filename}` : undefined);
    });
  }

  it('can be made from a handle that the platform gave somewhere else', async () => {
    await approved('by_handle', 'image', '4::aW1n');
  });

  it('is refused with a sample that is not there, of another workspace, or of another type', async () => {
    const other = await majlis.workspace();
    const cases: [string, string][] = [
      ['image', 'med_00000000000000000000000000'],
      ['image', 'med_1'],
      ['image', await uploaded(samples.png, 'a.png', other)],
      ['image', await uploaded(samples.pdf, 'a.pdf')],
      ['document', await uploaded(samples.png, 'a.png')],
      ['video', await uploaded(samples.mp3, 'a.mp3')],
    ];
    for (const [format, sample] of cases) {
      const { errors } = assertRefused(await api.post(path, templateOf('unsampled', format, sample)));
      assert.deepEqual(
        errors!.map(({ pointer }) => pointer),
        ['/components/0/examples/0'],
      );
    }
  });

  it('is rejected where its sample is gone before it could be submitted', async () => {
    const number = `/numbers/${workspace.phone_number_id}`;
    await callControl(majlis, 'PATCH', number, { token_expired: true });
    const sample = await uploaded(samples.png, 'a.png');
    const { body } = await api.post(path, templateOf('lost_sample', 'image', sample));
    // What has the file in its hands would submit it still.
    await eventually(
      () => majlis.sql(`select failures from jobs where kind = 'templates.submit_template'`),
      ([job]) => job!.failures > 0,
    );
    await majlis.sql('delete from media where id = $1', [parseId('media', sample)]);
    await callControl(majlis, 'PATCH', number, { token_expired: false });
    const { rejection_reason } = await untilTemplateInTime(majlis, workspace, body.id, 'rejected');
    assert.match(rejection_reason!, /sample of the header is no longer there/);
  });
});

describe('a send of a template', () => {
  it('is refused without the file of its header, with one that is not there or does not fit', async () => {
    const document = await uploaded(samples.pdf, 'a.pdf');
    const pointerOf = async (name: string, media?: string) =>
      assertRefused(await send(name, media)).errors?.[0]?.pointer;
    await approved('checked', 'image', await uploaded(samples.png, 'a.png'));
    assert.equal(await pointerOf('checked'), '/template/header_media_id');
    assert.equal(await pointerOf('checked', document), '/template/header_media_id');
    for (const unknown of ['med_1', 'med_00000000000000000000000000', 'x']) {
      assert.equal(assertRefused(await send('checked', unknown)).code, 'media_not_found');
    }
    const foreign = await uploaded(samples.png, 'a.png', await majlis.workspace());
    assert.equal(assertRefused(await send('checked', foreign)).code, 'media_not_found');
  });

  it('takes no file where the header is none', async () => {
    const components = [{ type: 'body', text: 'Look at {{1}}, nothing else.', examples: ['it'] }];
    const { body } = await api.post(path, { ...templateOf('headless', 'image', ''), components });
    await untilTemplate(workspace, body.id, 'approved');
    const { errors } = assertRefused(await send('headless', await uploaded(samples.png, 'a.png')));
    assert.equal(errors![0]!.pointer, '/template/header_media_id');
  });

  it('shows a picture as the document that the header asks for', async () => {
    await approved('as_document', 'document', await uploaded(samples.pdf, 'a.pdf'));
    const sent = await send('as_document', await uploaded(samples.png, 'a.png'));
    assert.equal(sent.status, 201, sent.text);
    await untilDispatched(majlis);
    await untilStatus(majlis, sent.body.id, 'read');
  });
});
