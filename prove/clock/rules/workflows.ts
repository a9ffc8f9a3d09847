import type { AnyJson } from '@majlis/testing/json';
import { day, hour, minute, type Rule, type RuleContext, type RuleGroup } from '../rule.ts';

const note = (text: string) => ({ do: 'add_note', text });

export const workflowRules: RuleGroup = {
  file: {
    workflows: [
      workflow('For', { do: 'wait', for: '2h' }, note('Waited for')),
      workflow('Until', { do: 'wait', until: '{{trigger.variables.until}}' }, note('Waited until')),
      workflow('Ask', { do: 'ask', text: 'Which?', within: '30m', on_timeout: [note('No answer')] }),
      workflow('Window', note('It is {{conversation.window}}')),
      { ...workflow('Business', note('Nobody answered')), ...noReply('business', '15m') },
      { ...workflow('Customer', note('No reaction')), ...noReply('customer', '20m') },
    ],
  },
  rules: [
    noteComes('a workflow waits as long as it says', 'Waited for', async (context) => {
      const { conversation } = await context.receive();
      await run(context, 'For', conversation);
      return { conversation, edge_ms: context.nowMs() + 2 * hour };
    }),
    noteComes('a workflow waits until the moment that it names', 'Waited until', async (context) => {
      const { conversation } = await context.receive();
      const edge_ms = context.nowMs() + 3 * day + 1;
      await run(context, 'Until', conversation, { until: new Date(edge_ms).toJSON() });
      return { conversation, edge_ms };
    }),
    noteComes('a question of a workflow waits for its answer as long as it says', 'No answer', async (context) => {
      const { conversation } = await context.receive();
      await run(context, 'Ask', conversation);
      return { conversation, edge_ms: context.nowMs() + 30 * minute };
    }),
    noteComes(
      'a customer waits for a reply as long as a workflow says',
      'Nobody answered',
      async ({ receive, nowMs }) => {
        const { conversation } = await receive();
        return { conversation, edge_ms: nowMs() + 15 * minute };
      },
    ),
    noteComes(
      'the business waits for a reply as long as a workflow says',
      'No reaction',
      async ({ sendTemplate, nowMs }) => {
        const { conversation_id } = await sendTemplate();
        return { conversation: conversation_id, edge_ms: nowMs() + 20 * minute };
      },
    ),
    {
      name: 'a workflow reads the window as open until its end',
      async open(context) {
        const { conversation } = await context.receive();
        const { window_expires_at } = (await context.api.get(`/conversations/${conversation}`)).body;
        const observe = async () => {
          await run(context, 'Window', conversation);
          return (await notesIn(context, conversation)).filter((text) => text.startsWith('It is')).at(-1);
        };
        return { edge_ms: Date.parse(window_expires_at), observe };
      },
      before: 'It is open',
      after: 'It is closed',
    },
  ],
};

function workflow(name: string, ...steps: object[]) {
  return { name, status: 'published', trigger: 'api_call', control: 'human', steps };
}

function noReply(reply_from: 'business' | 'customer', after: string) {
  return { trigger: 'no_reply', reply_from, after };
}

/** Begins a run for the contact of the conversation, and lets it come as far as it comes. */
async function run(context: RuleContext, name: string, conversation: string, variables: object = {}): Promise<void> {
  const { api, settled } = context;
  const { contact_id } = (await api.get(`/conversations/${conversation}`)).body;
  const { id } = (await api.get('/workflows')).body.data.find((one: AnyJson) => one.name === name);
  const { status, text } = await api.post(`/workflows/${id}/runs`, { contact: { id: contact_id }, variables });
  if (status !== 202) throw new Error(text);
  await settled();
}

async function notesIn({ api }: RuleContext, conversation: string): Promise<string[]> {
  const { data } = (await api.get(`/conversations/${conversation}/messages`)).body as AnyJson;
  return data.filter(({ kind }: AnyJson) => kind === 'note').map(({ body }: AnyJson) => body);
}

/** A workflow that begins or goes on by itself at the edge, and then adds this note once. */
function noteComes(
  name: string,
  text: string,
  begin: (context: RuleContext) => Promise<{ conversation: string; edge_ms: number }>,
): Rule {
  return {
    name,
    async open(context) {
      const { conversation, edge_ms } = await begin(context);
      await context.settled();
      return {
        edge_ms,
        observe: async () => (await notesIn(context, conversation)).filter((one) => one === text).length,
      };
    },
    before: 0,
    after: 1,
    comes: true,
  };
}
