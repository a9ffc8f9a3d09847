import { newDigits } from '@majlis/testing/messages';
import { nextMidnight } from '../next-midnight.ts';
import { type RuleContext, type RuleGroup, second } from '../rule.ts';

const written = 'By the model.';
// By the tokens that the server of models reports.
const creditsOfDraft = 2;
const affordable = 3;

export const agentTimeRules: RuleGroup = {
  file: {
    ai_agents: [{ name: 'Concierge', languages: ['en'] }],
    ai: { monthly_credits: affordable * creditsOfDraft },
  },
  rules: [
    {
      name: 'an agent answers once the customer has been quiet for 3 seconds',
      async open(context) {
        const { api, models, receive, moveTo, nowMs } = context;
        models.say(written);
        const digits = newDigits();
        const { conversation } = await receive({ digits });
        const [agent] = (await api.get('/ai/agents')).body.data;
        await api.post(`/conversations/${conversation}/handover`, { to: 'bot', ai_agent_id: agent.id });
        await receive({ digits });
        // What is written meanwhile begins the 3 seconds anew.
        await moveTo(nowMs() + 2 * second);
        await receive({ digits });
        const observe = async () => (await api.get(`/conversations/${conversation}/messages`)).body.data.length;
        return { edge_ms: nowMs() + 3 * second, observe };
      },
      before: 3,
      after: 4,
      comes: true,
    },
    {
      name: 'the AI credits of a month are there until the month ends in the time zone of the workspace',
      async open(context) {
        const { conversation } = await context.receive();
        const edge_ms = nextMidnight(context.nowMs(), 'month');
        await context.moveTo(edge_ms - second);
        let drafts = 0;
        // Spends all that there is at each look.
        const observe = async () => {
          for (let n = 0; n <= affordable && (await isByModel(context, conversation)); n++) drafts++;
          return drafts;
        };
        await observe();
        drafts = 0;
        return { edge_ms, observe };
      },
      before: 0,
      after: affordable,
    },
  ],
};

async function isByModel({ api }: RuleContext, conversation: string): Promise<boolean> {
  return (await api.post(`/conversations/${conversation}/ai/compose`, {})).body.draft === written;
}
