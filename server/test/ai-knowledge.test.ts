import assert from 'node:assert/strict';
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import { describe, it } from 'node:test';
import { assertRefused } from '@majlis/testing/assert-refused';
import { eventually } from '@majlis/testing/eventually';
import type { AnyJson } from '@majlis/testing/json';
import { addKnowledge, listKnowledge } from '@majlis/testing/knowledge';
import { listen } from '@majlis/testing/listen';
import { makeDocx, makePdf, makePptx, makeXlsx } from '@majlis/testing/make-documents';
import { samples, uploadFile } from '@majlis/testing/media';
import { newDigits } from '@majlis/testing/messages';
import { receiveText } from '@majlis/testing/notifications';
import { messageReceiver } from '@majlis/testing/receive-message';
import { startTestService, type TestWorkspace } from '@majlis/testing/start-test-service';

// Packed before the service starts, since it shares this thread.
const hugeDocument = makeDocx(['0'.repeat(70_000_000)]);
const majlis = await startTestService({ env: { RATE_LIMITS: 'off' } });
const unknown = 'ai_01m7w3jsd6f0v9ar73tvm5w15h';

/** Asks for a draft about this and answers it. */
async function ask(workspace: TestWorkspace, instruction: string) {
  const conversation = await receiveText(majlis, workspace, newDigits(), '…');
  const { status, body, text } = await workspace.api.post(`/conversations/${conversation}/ai/compose`, { instruction });
  assert.equal(status, 200, text);
  return body as { draft: string; sources: string[] };
}

const serve = (listener: RequestListener) => listen(createServer(listener));

/** Bytes as long as somebody takes them. */
function pour(response: ServerResponse): void {
  const chunk = Buffer.alloc(1_048_576, 'word ');
  const more = () => {
    while (!response.destroyed && response.write(chunk));
  };
  response.on('drain', more);
  more();
}

describe('a knowledge source', () => {
  it('of text is found by its words in other forms, and named by its first words', async () => {
    const workspace = await majlis.workspace();
    const added = await addKnowledge(majlis, workspace, {
      type: 'text',
      text: 'Deliveries\n\nOrders to Muscat arrive within two days.\n\nOrders to Salalah arrive within five days.',
    });
    assert.deepEqual([added.type, added.status, added.passages, added.name], ['text', 'indexed', 1, 'Deliveries']);
    const { draft, sources } = await ask(workspace, 'When is an order to Salalah delivered?');
    assert.match(draft, /Orders to Salalah arrive within five days\./);
    assert.deepEqual(sources, ['Deliveries']);
  });

  it('in Arabic is found in every spelling that the search of contacts takes for the same', async () => {
    const workspace = await majlis.workspace();
    const text = 'سياسة الإرجاع: يُمكن إرجاعُ الأثاث خلال ١٤ يومًا من تاريخ الاستلام.';
    await addKnowledge(majlis, workspace, { text });
    for (const spelling of ['سياسه الارجاع', 'ســيـاسة الإرجاع', 'الأثاث', 'اثاث', 'خلال 14 يوما', 'تاريخ الإستلام']) {
      assert.match((await ask(workspace, spelling)).draft, /يُمكن إرجاعُ الأثاث/, spelling);
    }
  });

  it('of a page is read as people read it, and its address is named', async () => {
    const workspace = await majlis.workspace();
    const url = await serve((request, response) => {
      if (request.url === '/old') return response.writeHead(302, { location: '/delivery' }).end();
      response.setHeader('content-type', 'text/html; charset=utf-8');
      return response.end(`<!doctype html><html><head><title>Delivery</title><style>.x{}</style></head><body>
        <nav>Home Cart Login</nav><h1>Delivery</h1><p>Sofas are delivered on <b>Tuesdays</b> &amp; Thursdays.</p>
        <script>var sofas = "secret";</script><footer>Imprint</footer></body></html>`);
    });
    const added = await addKnowledge(majlis, workspace, { type: 'url', url: `${url}/old` });
    assert.equal(added.status, 'indexed', added.error);
    const { draft, sources } = await ask(workspace, 'sofas Tuesdays');
    assert.match(draft, /Sofas are delivered on Tuesdays & Thursdays\./);
    assert.doesNotMatch(draft, /secret|Login|Imprint/);
    assert.deepEqual(sources, [`${url}/old`]);
  });

  it('of a page in windows-1256 is read in its letters', async () => {
    const workspace = await majlis.workspace();
    // "سعر" and "النقل" as old pages write them.
    const bytes = Buffer.concat([
      Buffer.from('<html><head><meta charset="windows-1256"></head><body><p>', 'latin1'),
      Buffer.from([0xd3, 0xda, 0xd1, 0x20, 0xc7, 0xe1, 0xe4, 0xde, 0xe1]),
      Buffer.from(' 5.</p></body></html>', 'latin1'),
    ]);
    const url = await serve((_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end(bytes));
    await addKnowledge(majlis, workspace, { url });
    assert.match((await ask(workspace, 'سعر النقل')).draft, /سعر النقل 5/);
  });

  const documents = {
    'prices.pdf': makePdf(['The warranty of wardrobes is ten years.']),
    'prices.docx': makeDocx(['Our prices.', 'The warranty of wardrobes is ten years.']),
    'prices.xlsx': makeXlsx([
      ['Piece', 'Years'],
      ['The warranty of wardrobes is ten years.', 10],
    ]),
    'prices.pptx': makePptx(['Welcome', 'The warranty of wardrobes is ten years.']),
    'prices.html': Buffer.from(
      '<!doctype html><html><body><p>The warranty of wardrobes is ten years.</p></body></html>',
    ),
    'prices.txt': Buffer.from('The warranty of wardrobes is ten years.'),
  };
  for (const [filename, bytes] of Object.entries(documents)) {
    it(`of a file is read: ${filename}`, async () => {
      const workspace = await majlis.workspace();
      const media_id = (await uploadFile(majlis, workspace, bytes, { filename })).body.id;
      const added = await addKnowledge(majlis, workspace, { type: 'file', media_id });
      assert.equal(added.status, 'indexed', added.error);
      const { draft, sources } = await ask(workspace, 'warranty of a wardrobe');
      assert.match(draft, /The warranty of wardrobes is ten years\./);
      assert.deepEqual(sources, [filename]);
    });
  }

  it('that is added again from the same address makes the older one go', async () => {
    const workspace = await majlis.workspace();
    let hours = 'nine';
    const url = await serve((_, response) => response.end(`We open at ${hours}.`));
    await addKnowledge(majlis, workspace, { url });
    hours = 'ten';
    await addKnowledge(majlis, workspace, { url });
    assert.equal((await listKnowledge(majlis, workspace)).length, 1);
    assert.match((await ask(workspace, 'When do you open?')).draft, /ten/);
    const counts = await majlis.sql('select term from knowledge_term_counts where passages < 0 or passages > 1');
    assert.deepEqual(counts, []);
  });

  it('of one agent is quoted by that agent alone', async () => {
    const workspace = await majlis.workspace({ ai_agents: [{ name: 'Sales' }, { name: 'Repairs' }] });
    const [sales, repairs] = workspace.applied.ai_agents.map(({ id }: AnyJson) => id);
    const text = 'The guest discount is eleven percent.';
    await addKnowledge(majlis, workspace, { type: 'text', text, ai_agent_ids: [sales] });
    for (const [agent, outcome] of [
      [sales, 'sent'],
      [repairs, 'handed_over'],
    ]) {
      const digits = newDigits();
      const conversation = await receiveText(majlis, workspace, digits, 'Hello');
      await workspace.api.post(`/conversations/${conversation}/handover`, { to: 'bot', ai_agent_id: agent });
      await receiveText(majlis, workspace, digits, 'How much is the guest discount?');
      const of = (answer: AnyJson) => answer.conversation_id === conversation;
      const answers = await eventually(
        async () => (await majlis.operator('GET', `/workspaces/${workspace.id}/ai-answers`)).body.data.filter(of),
        (found) => found.length > 0,
      );
      assert.equal(answers[0].outcome, outcome);
    }
  });

  it('is found in its own workspace alone, and no longer once the operator deleted it', async () => {
    const [workspace, other] = [await majlis.workspace(), await majlis.workspace()];
    const { id } = await addKnowledge(majlis, workspace, { text: 'The password of the guest network is bluefish.' });
    await addKnowledge(majlis, other, { text: 'Our network of shops has a guest book.' });
    assert.match((await ask(workspace, 'guest network password')).draft, /bluefish/);
    assert.doesNotMatch((await ask(other, 'guest network password')).draft, /bluefish/);
    const path = `/workspaces/${workspace.id}/knowledge-sources/${id}`;
    assert.equal((await majlis.operator('DELETE', path.replace(workspace.id, other.id))).status, 404);
    assert.equal((await majlis.operator('DELETE', path)).status, 204);
    assert.equal((await majlis.operator('DELETE', path)).status, 404);
    assert.deepEqual((await ask(workspace, 'guest network password')).sources, []);
  });
});

describe('a knowledge source that cannot be read', () => {
  const broken = {
    'an archive': [samples.zip, /broken|no Office document/],
    'a picture': [samples.png, /has no text/],
    'a PDF without a page': [samples.pdf, /broken/],
    'bytes of no kind': [Buffer.from([1, 2, 3, 0, 0, 0, 7, 8]), /cannot be read/],
    'a page of white space': [Buffer.from(' \n\n '), /has no text/],
  } as const;
  for (const [what, [bytes, reason]] of Object.entries(broken)) {
    it(`says why: ${what}`, async () => {
      const workspace = await majlis.workspace();
      const media_id = (await uploadFile(majlis, workspace, bytes)).body.id;
      const added = await addKnowledge(majlis, workspace, { media_id });
      assert.deepEqual([added.status, added.passages], ['failed', 0]);
      assert.match(added.error, reason);
    });
  }

  it('says why: an archive that is larger than it looks', async () => {
    const workspace = await majlis.workspace();
    const uploaded = await uploadFile(majlis, workspace, hugeDocument);
    assert.equal(uploaded.status, 201, uploaded.text);
    assert.match(
      (await addKnowledge(majlis, workspace, { media_id: uploaded.body.id })).error,
      /larger than can be read/,
    );
  });

  it('says why: a page that is not there, leads astray, is compressed or has no end', async () => {
    const workspace = await majlis.workspace();
    const url = await serve((request, response) => {
      if (request.url === '/circle') return response.writeHead(302, { location: '/circle' }).end();
      if (request.url === '/elsewhere') return response.writeHead(302, { location: 'file:///etc/passwd' }).end();
      if (request.url === '/zipped') return response.writeHead(200, { 'content-encoding': 'gzip' }).end('x');
      if (request.url === '/endless') return pour(response);
      return response.writeHead(404).end('no');
    });
    for (const [path, reason] of [
      ['/nowhere', 'the page answered 404'],
      ['/circle', 'too many redirects'],
      ['/elsewhere', 'an address that may not be called'],
      ['/zipped', 'a compressed answer'],
      ['/endless', 'an answer of more than 20971520 bytes'],
    ]) {
      assert.equal((await addKnowledge(majlis, workspace, { url: url + path })).error, reason);
    }
  });

  it('is tried again while its server is down', async () => {
    const workspace = await majlis.workspace();
    let calls = 0;
    const url = await serve((_, response) => {
      calls += 1;
      if (calls === 1) response.writeHead(503).end();
      else response.end('We are open again.');
    });
    assert.equal((await addKnowledge(majlis, workspace, { url })).status, 'indexed');
    assert.equal(calls, 2);
  });
});

describe('POST /v1/ai/knowledge-sources', () => {
  it('refuses what names nothing, and says where: 422', async () => {
    const workspace = await majlis.workspace({ ai_agents: [{ name: 'Concierge' }] });
    const foreign = (await majlis.workspace({ ai_agents: [{ name: 'Concierge' }] })).applied.ai_agents[0].id;
    const own = workspace.applied.ai_agents[0].id;
    for (const [body, pointer] of [
      [{}, ''],
      [{ type: 'url' }, '/url'],
      [{ type: 'text', text: ' ' }, '/text'],
      [{ text: 'a', url: 'https://acme.example/' }, ''],
      [{ type: 'text', text: 'a', url: 'https://acme.example/' }, '/url'],
      [{ text: 'a', ai_agent_ids: [own, unknown] }, '/ai_agent_ids/1'],
      [{ text: 'a', ai_agent_ids: [foreign] }, '/ai_agent_ids/0'],
      [{ text: 'a', ai_agent_ids: ['\0'] }, '/ai_agent_ids/0'],
      [{ url: 'ftp://acme.example/' }, '/url'],
    ] as const) {
      const reply = await workspace.api.post('/ai/knowledge-sources', body);
      assertRefused(reply);
      assert.equal(reply.body.errors[0].pointer, pointer, reply.text);
    }
    assert.deepEqual(await listKnowledge(majlis, workspace), []);
  });

  it('refuses a file that is not there, and one that a contact sent', async () => {
    const workspace = await majlis.workspace();
    for (const media_id of ['med_01m7w3gxkmeh5sjy5zm22t8r8t', 'x']) {
      const reply = await workspace.api.post('/ai/knowledge-sources', { media_id });
      assert.deepEqual([reply.status, reply.body.code], [422, 'media_not_found']);
    }
    const media_id = (await uploadFile(majlis, workspace, samples.html)).body.id;
    await messageReceiver(majlis, workspace)(newDigits(), 'text', 'Hello');
    await majlis.sql(`update messages set media_id = (select id from media where workspace_id = messages.workspace_id)
      where workspace_id in (select workspace_id from media) and direction = 'inbound' and kind = 'text'
        and workspace_id = (select id from workspaces order by created_at desc limit 1)`);
    assertRefused(await workspace.api.post('/ai/knowledge-sources', { media_id }));
  });
});
