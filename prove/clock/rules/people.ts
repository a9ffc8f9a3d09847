import { requestOperator } from '@majlis/testing/operator';
import { type Browser, makeToken, openBrowser, password } from '@majlis/testing/people';
import { Secret, TOTP } from 'otpauth';
import { day, minute, type RuleContext, type RuleGroup } from '../rule.ts';

export const peopleRules: RuleGroup = {
  rules: [
    {
      name: 'a session ends 30 days after the sign-in, however much it is used',
      async open(context) {
        const person = await join(context);
        const edge_ms = context.nowMs() + 30 * day;
        for (let week = 1; week <= 4; week++) {
          await context.moveTo(context.nowMs() + 7 * day - minute);
          await person.get('/session');
        }
        return { edge_ms, observe: () => statusOf(person, '/session') };
      },
      before: 200,
      after: 401,
    },
    {
      name: 'a proof of identity counts for 10 minutes',
      async open(context) {
        const person = await join(context);
        // A password that is refused changes nothing, and only after the proof of identity has been looked at.
        const observe = async () => (await person.request('PUT', '/password', { password: 'short' })).body.code;
        return { edge_ms: context.nowMs() + 10 * minute, observe };
      },
      before: 'unprocessable_content',
      after: 'confirmation_required',
    },
    {
      name: 'a sign-in awaits the code of the app for 10 minutes',
      async open(context) {
        const person = await join(context);
        const { body: setup } = await person.post('/totp');
        const app = new TOTP({ secret: Secret.fromBase32(setup.secret) });
        await person.request('PUT', '/totp', { code: app.generate({ timestamp: context.nowMs() }) });
        const halfway = openBrowser(context);
        await halfway.post('/sign-in', { email: person.email, password });
        const observe = async () => (await halfway.post('/sign-in/code', { code: 'wrong' })).body.detail;
        return { edge_ms: context.nowMs() + 10 * minute, observe };
      },
      before: 'The code is wrong or was used.',
      after: 'The sign-in took too long: begin again.',
    },
    {
      name: 'a link works for 24 hours',
      async open(context) {
        const { email } = await join(context);
        const token = await linkOf(context, { kind: 'reset', email });
        const observe = async () => (await openBrowser(context).post('/links/read', { token })).status;
        return { edge_ms: context.nowMs() + day, observe };
      },
      before: 200,
      after: 404,
    },
  ],
  age_rules: [
    {
      name: 'a session ends 7 days after its last use',
      age_ms: 7 * day,
      async open(context) {
        const sessions = new Map<string, Browser>();
        const person = await join(context);
        return {
          async make() {
            const browser = openBrowser(context);
            await browser.post('/sign-in', { email: person.email, password });
            const id = String(sessions.size);
            sessions.set(id, browser);
            return id;
          },
          meet: (edge_ms) => context.moveTo(edge_ms),
          observe: (id) => statusOf(sessions.get(id)!, '/session'),
        };
      },
      expected: [200, 401, 401],
    },
  ],
};

let people = 0;

async function join(context: RuleContext): Promise<Browser & { email: string }> {
  const email = `timed${++people}@acme.example`;
  const { workspace_name: workspace } = (await context.api.get('/me')).body;
  const token = await linkOf(context, { kind: 'invitation', workspace, email, role: 'admin' });
  const browser = openBrowser(context);
  const joined = await browser.post('/invitations/accept', { token, name: 'Timed', password });
  if (joined.status !== 200) throw new Error(`nobody joined: ${joined.status}`);
  return { ...browser, email };
}

/** The token of a link of the operator. */
function linkOf({ url }: RuleContext, order: Record<string, unknown>): Promise<string> {
  return makeToken({ operator: (method, path, body) => requestOperator(url, method, path, body) }, order);
}

async function statusOf(browser: Browser, path: string): Promise<number> {
  return (await browser.get(path)).status;
}
