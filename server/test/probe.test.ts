import { writeFileSync } from 'node:fs';
import { it } from 'node:test';
import { createDatabase } from '@majlis/testing/database';
import { eventually } from '@majlis/testing/eventually';
import { fillHistory } from '@majlis/testing/fill-history';
import { newDigits, untilDispatched } from '@majlis/testing/messages';
import { settled } from '@majlis/testing/notices';
import { recordPlans } from '@majlis/testing/record-plans';
import { startMajlis } from '@majlis/testing/start-majlis';
import { parseId } from '../src/database/ids.ts';
import pg from 'pg';

const shape = process.env.SHAPE ?? 'empty';
const analyse = process.env.ANALYSE === '1';
const database = await createDatabase();
const admin = new pg.Client(database.connection);
await admin.connect();
await admin.query("set jit=off");
if (shape === 'skewed') {
  await admin.query(fillHistory({ workspaces: 8000, contacts: 2 }));
}
const take = await recordPlans(admin, database);
const majlis = await startMajlis({ env: { RATE_LIMITS: 'off' }, database });
const workspace = await majlis.workspace();
const { api } = workspace;
const template = { kind: 'template', template: { name: 'order_update', language: 'en', params: ['Muna', 'A-1'] } };
const eight = Array.from({ length: 8 });
const quiet = async () => {
  await eventually(() => majlis.simulator.pending(), (n) => n === 0);
  await settled(majlis); await untilDispatched(majlis);
};
const out: Record<string, any> = {};
let record = false;
async function phase(name: string, work: () => Promise<unknown>) {
  await quiet(); take();
  await work();
  await quiet();
  const plans = take();
  if (!record) return;
  const by = new Map<string, any>();
  for (const p of plans) {
    const e = by.get(p.text) ?? { text: p.text, calls: 0, buffers: 0, max: 0, plan: undefined };
    e.calls++; e.buffers += p.buffers;
    if (p.buffers >= e.max) { e.max = p.buffers; e.plan = p.plan; }
    by.set(p.text, e);
  }
  out[name] = [...by.values()].sort((a, b) => b.buffers - a.buffers);
}
const send = (to: string, body: object) => api.post('/messages', { to: `+${to}`, ...body });
async function all() {
  const fresh = eight.map(() => newDigits());
  const writers = eight.map(() => newDigits());
  await phase('new', () => Promise.all(fresh.map((d) => send(d, template))));
  await phase('inbound-new', async () => writers.map((d) => majlis.simulator.inject({ phone_number_id: workspace.phone_number_id, from: d, type: 'text', content: 'Hi' })));
  await phase('known', () => Promise.all(writers.map((d) => send(d, { kind: 'text', body: 'Yes' }))));
  await phase('inbound-known', async () => writers.map((d) => majlis.simulator.inject({ phone_number_id: workspace.phone_number_id, from: d, type: 'text', content: 'Hi' })));
  await phase('import', () => api.post('/contacts/import', { contacts: Array.from({ length: 50 }, () => ({ name: 'I', tags: ['a'], identities: [{ channel_type: 'chatapp', identifier: `+${newDigits()}` }] })) }));
  const [row] = await majlis.sql<any>('select contact_id from contact_identities where identifier = $1', [`+${writers[0]}`]);
  const { publicId } = await import('../src/database/ids.ts');
  await phase('erase', () => api.request('DELETE', `/contacts/${publicId('ct', row.contact_id)}`));
}
import { after } from 'node:test';
after(() => admin.end());
it('probes', async () => {
  for (let i = 0; i < 4; i++) await all();
  if (shape !== 'empty') await admin.query(fillHistory({ workspaces: 1, contacts: 20000 }, parseId('ws', workspace.id)!));
  if (shape === 'skewed') await admin.query('analyze');
  if (analyse) await admin.query('analyze');
  if (process.env.WAIT) await new Promise((r) => setTimeout(r, Number(process.env.WAIT)));
  record = true;
  for (let i = 0; i < 1; i++) await all();
  writeFileSync(process.env.OUT!, JSON.stringify(out));
  const short = (n: any): string => {
    const kids = (n.Plans ?? []).map(short).filter(Boolean).join(' ; ');
    const own = n['Relation Name'] ? `${n['Node Type']}[${n['Index Name'] ?? n['Relation Name']} ${(n['Index Cond'] ?? '').replace(/\s+/g, ' ')} rows=${n['Actual Rows']}x${n['Actual Loops']} rm=${n['Rows Removed by Filter'] ?? 0} b=${n['Shared Hit Blocks'] + n['Shared Read Blocks']}]` : n['Node Type'].match(/Hash|Merge/) ? n['Node Type'] : n['Index Name'] ? `bm[${n['Index Name']} ${n['Index Cond']} rows=${n['Actual Rows']}]` : '';
    return [own, kids].filter(Boolean).join(' ; ');
  };
  for (const [name, list] of Object.entries(out)) {
    const total = list.reduce((s: number, e: any) => s + e.buffers, 0);
    console.log(`## ${name}: buffers ${total}, statements ${list.reduce((s: number, e: any) => s + e.calls, 0)}`);
    for (const e of list.slice(0, Number(process.env.TOP ?? 4))) console.log(`  ${e.buffers} in ${e.calls}, max ${e.max}: ${e.text.replace(/\s+/g, ' ').trim().slice(0, 110)}\n      ${short(e.plan).slice(0, 700)}`);
  }
});
