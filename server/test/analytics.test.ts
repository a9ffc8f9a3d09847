import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { AnalyticsOverview } from '@majlis/contract';
import { createApi } from '@majlis/testing/api';
import { newDigits, untilDispatched } from '@majlis/testing/messages';
import {
  platformStatus,
  postNotification,
  receiveText,
  untilNotificationsProcessed,
} from '@majlis/testing/notifications';
import { conversationRowsOf, messageFiguresOf, overviewOf, readStored } from '@majlis/testing/recompute-analytics';
import { startScriptedPlatform } from '@majlis/testing/scripted-platform';
import { type SeededRandom, seededRandom } from '@majlis/testing/seeded-random';
import { startTestService, type TestWorkspace, templateMessage, templates } from '@majlis/testing/start-test-service';
import { Value } from 'typebox/value';
import { parseId } from '../src/database/ids.ts';

const platform = await startScriptedPlatform();
const majlis = await startTestService({
  env: { CHATAPP_API_URL: platform.api_url, RATE_LIMITS: 'off', DATABASE_POOL_SIZE: '6' },
});
const services = [majlis, await majlis.another()];

const stages = [{ name: 'New lead' }, { name: 'Customer' }, { name: 'Lost' }];
const users = ['Aisha', 'Omar', 'Salma'].map((name) => ({ name, email: `${name}@acme.example`, role: 'viewer' }));
const teams = [{ name: 'Sales' }, { name: 'Support' }];
const reminder = {
  name: 'reminder',
  language: 'en',
  category: 'utility',
  components: [{ type: 'body', text: 'Soon.' }],
};
const file = { stages, users, teams, templates: [...templates, reminder] };

/** The clock only ever goes forward. */
async function moveTo(moment: string): Promise<void> {
  const { body } = await majlis.operator('GET', '/clock');
  await majlis.advance((Date.parse(moment) - Date.parse(body.now)) / 1000);
}

async function overview({ api }: TestWorkspace) {
  const { status, body } = await api.get('/analytics/overview');
  assert.equal(status, 200);
  assert.deepEqual([...Value.Errors(AnalyticsOverview, body)], []);
  return body;
}

/** A conversation and the customer's number. */
interface Place {
  id: string;
  digits: string;
}

/** In which the customer wrote first. */
async function newPlace(workspace: TestWorkspace): Promise<Place> {
  const digits = newDigits();
  return { id: await receiveText(majlis, workspace, digits), digits };
}

/** In which the business did. */
async function newOutreach({ api }: TestWorkspace): Promise<Place> {
  const digits = newDigits();
  const { status, body } = await api.post('/messages', { to: `+${digits}`, ...order });
  assert.equal(status, 201);
  return { id: body.conversation_id, digits };
}

const order = { kind: 'template', template: { name: 'order_update', language: 'en', params: ['Muna', 'A-1'] } };
const soon = { kind: 'template', template: { name: 'reminder', language: 'en' } };

/** One thing that happens in a conversation; what its state does not allow is refused, and happened not. */
async function act(workspace: TestWorkspace, { id, digits }: Place, random: SeededRandom): Promise<void> {
  const { api, applied } = workspace;
  const path = `/conversations/${id}`;
  const replies = {
    write: () => receiveText(random.pick(services), workspace, digits),
    send: () => api.post(`${path}/messages`, random.pick([order, soon])),
    sendByNumber: () => api.post('/messages', { to: `+${digits}`, ...random.pick([order, soon]) }),
    note: () => api.post(`${path}/notes`, { body: 'Look at this' }),
    close: () => api.post(`${path}/close`, {}),
    reopen: () => api.post(`${path}/reopen`),
    assign: () => {
      const assignee_id = random.pick([null, ...applied.users.map((user: { id: string }) => user.id)]);
      const team_id = random.pick([null, ...applied.teams.map((team: { id: string }) => team.id)]);
      return api.post(`${path}/assign`, { assignee_id, team_id });
    },
    stage: () => {
      const stage_id = random.pick([null, ...applied.stages.map((stage: { id: string }) => stage.id)]);
      return api.request('PUT', `${path}/stage`, { stage_id });
    },
    snooze: () => api.post(`${path}/snooze`, { until: '2100-01-01T00:00:00Z' }),
    report: async () => {
      const rows = await majlis.sql<{ platform_message_id: string }>(
        `select platform_message_id from messages where conversation_id = $1 and direction = 'outbound'
         and platform_message_id is not null`,
        [parseId('conversation', id)],
      );
      const status = random.pick(['sent', 'delivered', 'read', 'failed']);
      const statuses = rows.map((row) => platformStatus(row.platform_message_id, status));
      if (rows.length > 0) await postNotification(random.pick(services), workspace, { statuses });
    },
  };
  const names = [...Object.keys(replies), 'write', 'send', 'send', 'report', 'close'] as (keyof typeof replies)[];
  const reply = await replies[random.pick(names)]();
  if (typeof reply === 'object') assert.ok([200, 201, 409].includes(reply.status), reply.text);
}

describe('the overview', () => {
  it('of a workspace in which nothing happened is all zero, with every stage', async () => {
    const workspace = await majlis.workspace(file);
    const none = Object.fromEntries(workspace.applied.stages.map(({ id }: { id: string }) => [id, 0]));
    assert.deepEqual(await overview(workspace), { open: 0, unreplied: 0, unassigned: 0, closed: 0, stages: none });
  });

  it('counts open conversations, those whose last message is the customer’s, and those that nobody has', async () => {
    const workspace = await majlis.workspace(file);
    const { api, applied } = workspace;
    const { id } = await newPlace(workspace);
    const after = async (method: string, path: string, body?: object) => {
      const { status, text } = await api.request(method, `/conversations/${id}${path}`, body);
      assert.ok(status < 300, text);
      const { stages, ...counts } = await overview(workspace);
      return [...Object.values(counts), ...applied.stages.map((stage: { id: string }) => stages[stage.id])];
    };
    assert.deepEqual(await after('GET', ''), [1, 1, 1, 0, 0, 0, 0]);
    assert.deepEqual(await after('POST', '/notes', { body: 'A note answers nobody' }), [1, 1, 1, 0, 0, 0, 0]);
    assert.deepEqual(await after('POST', '/assign', { assignee_id: applied.users[0].id }), [1, 1, 0, 0, 0, 0, 0]);
    assert.deepEqual(await after('PUT', '/stage', { stage_id: applied.stages[1].id }), [1, 1, 0, 0, 0, 1, 0]);
    assert.deepEqual(await after('POST', '/snooze', { until: '2100-01-01T00:00:00Z' }), [1, 1, 0, 0, 0, 1, 0]);
    assert.deepEqual(await after('POST', '/messages', { kind: 'text', body: 'Hello' }), [1, 0, 0, 0, 0, 1, 0]);
    assert.deepEqual(await after('POST', '/close', {}), [0, 0, 0, 1, 0, 1, 0]);
    assert.deepEqual(await after('PUT', '/stage', { stage_id: null }), [0, 0, 0, 1, 0, 0, 0]);
    assert.deepEqual(await after('POST', '/reopen'), [1, 0, 0, 0, 0, 0, 0]);
  });

  it('is what plain loops over the rows find, whatever happened at once, and in two workspaces apart', async () => {
    const workspaces = [await majlis.workspace(file), await majlis.workspace(file)];
    const random = seededRandom(7);
    const places = await Promise.all(
      Array.from({ length: 40 }, async (_, n) => ({
        workspace: workspaces[n % 2]!,
        place: await newPlace(workspaces[n % 2]!),
      })),
    );
    for (let round = 0; round < 6; round++) {
      await Promise.all(
        Array.from({ length: 60 }, () => {
          const { workspace, place } = random.pick(places);
          return act(workspace, place, random);
        }),
      );
      await untilNotificationsProcessed(majlis);
      for (const workspace of workspaces) {
        assert.deepEqual(await overview(workspace), overviewOf(await readStored(majlis, workspace)));
      }
    }
    const [first, ...others] = places.filter(({ workspace }) => workspace === workspaces[0]);
    const contactOf = async (place: Place) =>
      (await workspaces[0]!.api.get(`/conversations/${place.id}`)).body.contact_id as string;
    const { api } = workspaces[0]!;
    const merged = await api.post(`/contacts/${await contactOf(first!.place)}/merge`, {
      source_contact_id: await contactOf(others[0]!.place),
    });
    assert.equal(merged.status, 200, merged.text);
    for (const { place } of others.slice(1, 5)) {
      assert.equal((await api.request('DELETE', `/contacts/${await contactOf(place)}`)).status, 204);
    }
    for (const workspace of workspaces) {
      assert.deepEqual(await overview(workspace), overviewOf(await readStored(majlis, workspace)));
    }
  });
});

describe('the analytics of conversations', () => {
  it('have a row for each period, with medians of what there is', async () => {
    await moveTo('2027-03-27T10:00:00Z');
    const workspace = await majlis.workspace({ workspace: { name: 'Berlin rows', timezone: 'Europe/Berlin' } });
    const { api } = workspace;
    const [a, b, c] = [await newPlace(workspace), await newPlace(workspace), await newPlace(workspace)];
    for (const [place, seconds] of [
      [a, 10],
      [b, 20],
    ] as const) {
      await majlis.advance(seconds);
      assert.equal((await api.post(`/conversations/${place!.id}/messages`, { kind: 'text', body: 'Hi' })).status, 201);
      assert.equal((await api.post(`/conversations/${place!.id}/close`, {})).status, 200);
    }
    // The 28th has 23 hours there: it ends at 22:00 UTC.
    await moveTo('2027-03-28T21:59:00Z');
    assert.equal((await api.post(`/conversations/${c!.id}/close`, {})).status, 200);
    await moveTo('2027-03-28T22:01:00Z');
    await receiveText(majlis, workspace, a!.digits);
    await majlis.advance(600);
    assert.equal((await api.post(`/conversations/${a!.id}/close`, {})).status, 200);

    const ask = async (query: string) => (await api.get(`/analytics/conversations?${query}`)).body.data;
    const rows = await ask('from=2027-03-26&to=2027-03-29');
    const near = (actual: number, expected: number) => assert.ok(Math.abs(actual - expected) < 5, `${actual}`);
    near(rows[1].first_response_p50_seconds, 20);
    near(rows[1].resolution_p50_seconds, 20);
    near(rows[2].resolution_p50_seconds, 36 * 3600 - 60);
    near(rows[3].resolution_p50_seconds, 600);
    const figures = rows.map((row: Record<string, unknown>) => [
      row.period,
      row.new,
      row.closed,
      Object.keys(row).length,
    ]);
    assert.deepEqual(figures, [
      ['2027-03-26', 0, 0, 3],
      ['2027-03-27', 3, 2, 5],
      ['2027-03-28', 0, 1, 4],
      ['2027-03-29', 0, 1, 4],
    ]);
    const of = async (query: string) =>
      (await ask(query)).map((row: Record<string, unknown>) => [row.period, row.new, row.closed]);
    assert.deepEqual(await of('from=2027-03-24&to=2027-03-29&interval=week'), [
      ['2027-W12', 3, 3],
      ['2027-W13', 0, 1],
    ]);
    assert.deepEqual(await of('from=2027-03-28&to=2027-04-01&interval=month'), [
      ['2027-03', 0, 2],
      ['2027-04', 0, 0],
    ]);
  });

  it('are what plain loops over the rows find, by every interval and group', async () => {
    const timezone = 'America/Havana';
    await moveTo('2027-10-20T12:00:00Z');
    const workspace = await majlis.workspace({ ...file, workspace: { name: 'Havana loops', timezone } });
    const random = seededRandom(23);
    const places: Place[] = [];
    // Over the change of the clocks on 7 November at one o'clock.
    for (let day = 0; day < 25; day++) {
      await majlis.advance(40_000 + random.between(0, 59_999));
      places.push(
        ...(await Promise.all(
          Array.from({ length: random.between(0, 3) }, () => random.pick([newPlace, newOutreach])(workspace)),
        )),
      );
      for (let round = 0; round < 2 && places.length > 0; round++) {
        await majlis.advance(random.between(0, 1_999));
        const chosen = [...new Set(Array.from({ length: 8 }, () => random.pick(places)))];
        await Promise.all(chosen.map((place) => act(workspace, place, random)));
        await untilNotificationsProcessed(majlis);
      }
    }
    const stored = await readStored(majlis, workspace);
    assert.ok(stored.closings.length > 20 && stored.conversations.length > 20);

    const dateOf = (moment: Date) => new Intl.DateTimeFormat('sv-SE', { timeZone: timezone }).format(moment);
    const weekOf = (moment: Date) => {
      const date = new Date(`${dateOf(moment)}T12:00:00Z`);
      date.setUTCDate(date.getUTCDate() + 4 - (date.getUTCDay() || 7));
      const days = (date.getTime() - Date.UTC(date.getUTCFullYear(), 0)) / 86_400_000;
      return `${date.getUTCFullYear()}-W${String(Math.ceil(days / 7)).padStart(2, '0')}`;
    };
    const labels = { day: dateOf, week: weekOf, month: (moment: Date) => dateOf(moment).slice(0, 7) };
    const [from, to] = ['2027-10-23', '2027-11-12'];
    for (const [interval, labelOf] of Object.entries(labels)) {
      for (const group_by of [undefined, 'channel', 'team', 'user', 'stage'] as const) {
        const query = `from=${from}&to=${to}&interval=${interval}${group_by ? `&group_by=${group_by}` : ''}`;
        const { status, body, text } = await workspace.api.get(`/analytics/conversations?${query}`);
        assert.equal(status, 200, text);
        const found = new Map(
          body.data.map(({ period, ...row }: Record<string, unknown>) => {
            const group = group_by && row[`${group_by}_id`];
            delete row[`${group_by}_id`];
            return [`${period} ${group ?? ''}`, row];
          }),
        );
        assert.equal(found.size, body.data.length);
        const expected = conversationRowsOf(stored, { from, to, labelOf, dateOf, ...(group_by && { group_by }) });
        if (!group_by)
          for (const key of found.keys())
            if (!expected.has(key as string)) expected.set(key as string, { new: 0, closed: 0 });
        const sorted = (rows: Map<unknown, unknown>) => [...rows].sort(([a], [b]) => (String(a) < String(b) ? -1 : 1));
        assert.deepEqual(sorted(found), sorted(expected), query);
      }
    }
  });

  it('are refused where they would have more periods than the installation allows', async () => {
    const { api } = await majlis.workspace();
    const ask = (query: string) => api.get(`/analytics/conversations?${query}`);
    assert.equal((await ask('from=2016-01-01&to=2026-12-12')).body.data.length, 3_999);
    const { status, body } = await ask('from=0001-01-01&to=9999-12-31');
    assert.deepEqual([status, body.errors[0].pointer], [422, '/to']);
    assert.equal((await ask('from=0000-01-01&to=0000-12-31&interval=month')).body.data.length, 12);
    assert.equal((await ask('from=9999-12-30&to=9999-12-31')).body.data.length, 2);
    for (const query of ['interval=hour', 'interval=', 'group_by=tag', 'group_by=user&group_by=team']) {
      assert.equal((await ask(`from=2026-01-01&to=2026-01-02&${query}`)).status, 422, query);
    }
  });
});

describe('the analytics of messages', () => {
  it('are a funnel of what was accepted on those days, of one template by its name', async () => {
    await moveTo('2028-01-10T10:00:00Z');
    const workspace = await majlis.workspace(file);
    const { api } = workspace;
    const places = await Promise.all(Array.from({ length: 6 }, () => newPlace(workspace)));
    const courses = [['sent'], ['delivered'], ['read'], ['sent', 'failed'], [], ['read']];
    for (const [n, place] of places.entries()) {
      const { body, status } = await api.post(`/conversations/${place.id}/messages`, n < 5 ? order : soon);
      assert.equal(status, 201);
      await untilDispatched(majlis);
      await untilNotificationsProcessed(majlis);
      const statuses = courses[n]!.map((word) =>
        platformStatus(`wamid.${n}`, word, { biz_opaque_callback_data: body.id }),
      );
      if (statuses.length > 0) await postNotification(majlis, workspace, { statuses });
      await api.post(`/conversations/${place.id}/notes`, { body: 'Not a message' });
    }
    await untilNotificationsProcessed(majlis);
    for (const n of [1, 3, 4, 5]) await receiveText(majlis, workspace, places[n]!.digits);
    const ask = async (query: string) => (await api.get(`/analytics/messages?${query}`)).body;
    const days = 'from=2028-01-10&to=2028-01-10';
    assert.deepEqual(await ask(days), { sent: 4, delivered: 3, read: 2, replied: 2, failed: 1 });
    assert.deepEqual(await ask(`${days}&template=order_update`), {
      sent: 3,
      delivered: 2,
      read: 1,
      replied: 1,
      failed: 1,
    });
    assert.deepEqual(await ask(`${days}&template=reminder`), { sent: 1, delivered: 1, read: 1, replied: 1, failed: 0 });
    const none = { sent: 0, delivered: 0, read: 0, replied: 0, failed: 0 };
    assert.deepEqual(await ask(`${days}&template=order%25`), none);
    assert.deepEqual(await ask('from=2028-01-11&to=2028-01-31'), none);
    assert.deepEqual(await ask('from=0001-01-01&to=9999-12-31'), await ask(days));
  });

  it('are what plain loops over the rows find', async () => {
    await moveTo('2028-03-20T10:00:00Z');
    const timeZone = 'Europe/Berlin';
    const workspace = await majlis.workspace({ ...file, workspace: { name: 'Berlin messages', timezone: timeZone } });
    const random = seededRandom(41);
    const places = await Promise.all(Array.from({ length: 12 }, () => newPlace(workspace)));
    for (let round = 0; round < 20; round++) {
      await majlis.advance(20_000 + random.between(0, 39_999));
      await Promise.all(Array.from({ length: 12 }, () => act(workspace, random.pick(places), random)));
      await untilDispatched(majlis);
      await untilNotificationsProcessed(majlis);
    }
    const stored = await readStored(majlis, workspace);
    const dateOf = (moment: Date) => new Intl.DateTimeFormat('sv-SE', { timeZone }).format(moment);
    for (const [from, to] of [
      ['2028-03-20', '2028-04-30'],
      ['2028-03-25', '2028-03-26'],
      ['2028-03-27', '2028-03-27'],
    ] as const) {
      for (const template of [undefined, 'order_update', 'reminder']) {
        const query = `from=${from}&to=${to}${template ? `&template=${template}` : ''}`;
        const { body } = await workspace.api.get(`/analytics/messages?${query}`);
        const expected = messageFiguresOf(stored, (message) => {
          const date = dateOf(message.created_at);
          return date >= from && date <= to && (!template || message.template === template);
        });
        assert.deepEqual(body, expected, query);
      }
    }
    assert.ok(Object.values(messageFiguresOf(stored, () => true)).every((figure) => figure > 3));
  });
});

it('count a message at midnight to the day that begins', async () => {
  const workspace = await majlis.workspace({ workspace: { name: 'Midnight', timezone: 'Asia/Muscat' } });
  const { api } = workspace;
  const { body } = await api.post('/messages', { to: '+96891234567', ...templateMessage });
  await untilDispatched(majlis);
  const row = [parseId('workspace', workspace.id), parseId('message', body.id)];
  const change = `created_at = '2028-05-01T20:00Z', status = 'sent'`;
  await majlis.sql(`update messages set ${change} where workspace_id = $1 and id = $2`, row);
  const sentOn = async (day: string) => (await api.get(`/analytics/messages?from=${day}&to=${day}`)).body.sent;
  assert.deepEqual([await sentOn('2028-05-01'), await sentOn('2028-05-02')], [0, 1]);
});

it('have as many periods as the setting allows, and no more', async () => {
  const limited = await majlis.another({ ANALYTICS_PERIODS_MAX: '10' });
  const api = createApi(limited.url, (await majlis.workspace()).key);
  const path = '/analytics/conversations?interval=day&from=2028-05-01';
  assert.equal((await api.get(`${path}&to=2028-05-10`)).status, 200);
  const refused = await api.get(`${path}&to=2028-05-11`);
  assert.equal(refused.status, 422);
  assert.match(refused.text, /more than 10 periods/);
  await limited.stop();
});

it('share a limit of 60 a minute, of which other operations take nothing', async () => {
  const limited = await majlis.another({ RATE_LIMITS: 'on' });
  const api = createApi(limited.url, (await majlis.workspace()).key);
  const days = 'from=2026-11-01&to=2026-11-02';
  const paths = ['overview', `messages?${days}`, `conversations?${days}`, 'messages'];
  await Promise.all([api.get('/wallet'), api.get(`/usage?${days}`)]);
  const replies = await Promise.all(Array.from({ length: 70 }, (_, n) => api.get(`/analytics/${paths[n % 4]}`)));
  assert.equal(replies.filter(({ status }) => status === 429).length, 10);
  assert.equal((await api.get('/wallet')).status, 200);
  await limited.stop();
});

it('the figures of one workspace are not those of another', async () => {
  const [busy, quiet] = [await majlis.workspace(file), await majlis.workspace(file)];
  await newPlace(busy);
  assert.equal((await overview(busy)).open, 1);
  assert.equal((await overview(quiet)).open, 0);
});
