import type { AnyJson } from './json.ts';
import type { TestService, TestWorkspace } from './start-test-service.ts';

/** A browser that keeps its cookies. `path` is below `/console/v1`. */
export interface Browser {
  readonly cookies: Map<string, string>;
  request(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<{ status: number; body: AnyJson; headers: Headers }>;
  get(path: string): Promise<{ status: number; body: AnyJson; headers: Headers }>;
  post(path: string, body?: unknown): Promise<{ status: number; body: AnyJson; headers: Headers }>;
}

export function openBrowser({ url }: { url: string }): Browser {
  const cookies = new Map<string, string>();
  async function request(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
    const response = await fetch(`${url}/console/v1${path}`, {
      method,
      redirect: 'manual',
      headers: {
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        'sec-fetch-site': 'same-origin',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!;
      if (value === '') cookies.delete(name!);
      else cookies.set(name!, value!);
    }
    // A stream of events has no end.
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream');
    if (isStream) await response.body?.cancel();
    const text = isStream ? '' : await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json');
    return { status: response.status, body: isJson ? JSON.parse(text) : undefined, headers: response.headers };
  }
  return {
    cookies,
    request,
    get: (path) => request('GET', path),
    post: (path, body = {}) => request('POST', path, body),
  };
}

export const password = 'correct horse battery';

export interface Member extends Browser {
  email: string;
  user_id: string;
  /** Requests below `/console/v1/workspaces/{id}`. */
  at(method: string, path: string, body?: unknown): ReturnType<Browser['request']>;
}

let count = 0;

/** A link of the operator's door; its token alone. */
export async function makeToken(
  majlis: Pick<TestService, 'operator'>,
  order: Record<string, unknown>,
): Promise<string> {
  const { status, body } = await majlis.operator('POST', '/links', order);
  if (status !== 201) throw new Error(`no link was made: ${status} ${JSON.stringify(body)}`);
  return body.link.split('#')[1];
}

/** A person who joined the workspace with this role, signed in. */
export async function joinWorkspace(
  majlis: Pick<TestService, 'url' | 'operator'>,
  workspace: Pick<TestWorkspace, 'id' | 'applied'>,
  {
    role = 'owner',
    email = `person${++count}@acme.example`,
    name: own_name = `Person ${email}`,
  }: { role?: string; email?: string; name?: string } = {},
): Promise<Member> {
  const browser = openBrowser(majlis);
  const name: string = workspace.applied.workspace.name;
  const token = await makeToken(majlis, { kind: 'invitation', workspace: name, email, role });
  const joined = await browser.post('/invitations/accept', { token, name: own_name, password });
  if (joined.status !== 200) throw new Error(`nobody joined: ${joined.status} ${JSON.stringify(joined.body)}`);
  const session = await browser.get('/session');
  const here = session.body.workspaces.find((one: AnyJson) => one.workspace_id === workspace.id);
  return {
    ...browser,
    email,
    user_id: here.user_id,
    at: (method, path, body) => browser.request(method, `/workspaces/${workspace.id}${path}`, body),
  };
}
