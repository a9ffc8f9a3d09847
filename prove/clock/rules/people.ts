import { createAuthenticator } from '@majlis/testing/authenticator';
import type { AnyJson } from '@majlis/testing/json';
import { type Browser, openBrowser, password } from '@majlis/testing/people';
import { Secret, TOTP } from 'otpauth';
import { publicOrigin } from '../clock-environment.ts';
import { joinClockWorkspace, linkOf } from '../join-clock-workspace.ts';
import { type AgeRule, day, minute, type RuleGroup } from '../rule.ts';

export const peopleRules: RuleGroup = {
  rules: [
    {
      name: 'a session ends 30 days after the sign-in, however much it is used',
      async open(context) {
        const person = await joinClockWorkspace(context);
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
        const person = await joinClockWorkspace(context);
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
        const person = await joinClockWorkspace(context);
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
      name: 'the last use of a session is noted once a minute',
      async open(context) {
        const person = await joinClockWorkspace(context);
        const first_ms = context.nowMs();
        const observe = async () => {
          await person.get('/session');
          const [{ last_seen_at }] = (await person.get('/sessions')).body.data;
          return Date.parse(last_seen_at) > first_ms;
        };
        return { edge_ms: first_ms + minute, observe };
      },
    },
    {
      name: 'a link works for 24 hours',
      async open(context) {
        const { email } = await joinClockWorkspace(context);
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
        const person = await joinClockWorkspace(context);
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
    ...(['add', 'sign in'] as const).map(
      (purpose): AgeRule => ({
        name: `the challenge of a passkey is good for 5 minutes: ${purpose}`,
        age_ms: 5 * minute,
        async open(context) {
          const person = await joinClockWorkspace(context);
          const device = createAuthenticator({ origin: publicOrigin });
          if (purpose === 'sign in') {
            const { body } = await person.post('/passkeys/begin');
            await person.post('/passkeys', { name: 'Phone', response: device.register(body.options) });
          }
          const challenges: AnyJson[] = [];
          return {
            async make() {
              const path = purpose === 'add' ? '/passkeys/begin' : '/sign-in/passkey/begin';
              challenges.push((await person.post(path)).body.options);
              return String(challenges.length - 1);
            },
            meet: (edge_ms) => context.moveTo(edge_ms),
            async observe(n) {
              const options = challenges[Number(n)];
              if (purpose === 'sign in')
                return (await openBrowser(context).post('/sign-in/passkey', device.prove(options))).status;
              const response = createAuthenticator({ origin: publicOrigin }).register(options);
              return (await person.post('/passkeys', { name: `Phone ${n}`, response })).status;
            },
          };
        },
        expected: purpose === 'add' ? [201, 401, 401] : [200, 401, 401],
      }),
    ),
  ],
};

async function statusOf(browser: Browser, path: string): Promise<number> {
  return (await browser.get(path)).status;
}
