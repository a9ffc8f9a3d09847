import { requestOperator } from '@majlis/testing/operator';
import { type Browser, makeToken, openBrowser, password } from '@majlis/testing/people';
import type { RuleContext } from './rule.ts';

/** A person of the workspace of a rule. */
export interface ClockMember extends Browser {
  email: string;
  name: string;
  user_id: string;
  /** Requests below `/console/v1/workspaces/{id}`. */
  at(method: string, path: string, body?: unknown): ReturnType<Browser['request']>;
}

let people = 0;

export async function joinClockWorkspace(context: RuleContext): Promise<ClockMember> {
  const email = `timed${++people}@acme.example`;
  const name = `Timed ${people}`;
  const { workspace_name: workspace } = (await context.api.get('/me')).body;
  const token = await linkOf(context, { kind: 'invitation', workspace, email, role: 'admin' });
  const browser = openBrowser(context);
  const joined = await browser.post('/invitations/accept', { token, name, password });
  if (joined.status !== 200) throw new Error(`nobody joined: ${joined.status}`);
  const [{ user_id }] = (await browser.get('/session')).body.workspaces;
  const at: ClockMember['at'] = (method, path, body) =>
    browser.request(method, `/workspaces/${context.id}${path}`, body);
  return { ...browser, email, name, user_id, at };
}

/** The token of a link of the operator. */
export function linkOf({ url }: RuleContext, order: Record<string, unknown>): Promise<string> {
  return makeToken({ operator: (method, path, body) => requestOperator(url, method, path, body) }, order);
}
