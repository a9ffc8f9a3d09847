import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { eventually } from '@majlis/testing/eventually';
import type { Saying } from '@majlis/testing/model-server';
import { type AgentConversation, controllerOf, messagesOf, startAgents } from '@majlis/testing/start-agents';
import { withTrigger } from '@majlis/testing/with-trigger';

const { models, majlis, open, write, untilAnswers } = await startAgents();

// PostgreSQL stores neither.
const unstorable = { NUL: '\0', 'half of a surrogate pair': '\ud800' };

const creditsOf = async ({ workspace }: AgentConversation): Promise<number> =>
  (await workspace.api.get('/usage?from=2020-01-01&to=2100-01-01')).body.ai_credits;

/** As it is kept. */
const kept = (text: string) => text.replaceAll('\0', '').toWellFormed();

for (const [what, mark] of Object.entries(unstorable)) {
  describe(`${what} in what a model writes`, () => {
    it('is not in the answer, which is sent after one call', async () => {
      const of = await open();
      models.requests.length = 0;
      models.say(`We open${mark} at nine.`);
      await write(of, 'When do you open?');
      assert.equal((await untilAnswers(of, 1))[0].outcome, 'sent');
      assert.equal((await messagesOf(of)).at(-1).body, kept(`We open${mark} at nine.`));
      assert.equal(models.requests.length, 1);
      assert.equal(await creditsOf(of), 2);
    });

    it('is neither in the words that it searches by nor in its reason to hand over', async () => {
      const of = await open();
      const sayings: Saying[] = [
        [{ tool: 'search_knowledge', input: { query: `opening${mark}hours` } }],
        [{ tool: 'hand_over', input: { reason: `Wants a${mark} refund` } }],
      ];
      models.say(() => sayings.shift() ?? 'I handed over.');
      await write(of, 'Give me my money back!');
      const [answer] = await untilAnswers(of, 1);
      assert.deepEqual([answer.outcome, answer.reason], ['handed_over', kept(`Wants a${mark} refund`)]);
      assert.ok((await messagesOf(of)).at(-1).body.includes(kept(`Wants a${mark} refund`)));
    });

    it('is in no draft and in no summary', async () => {
      const of = await open();
      const ask = (task: string) => of.workspace.api.post(`/conversations/${of.conversation}/ai/${task}`, {});
      models.say(`A${mark} draft.`);
      assert.equal((await ask('compose')).body.draft, kept(`A${mark} draft.`));
      const summary = { summary: `Asks${mark} for it.`, sentiment: `calm${mark}`, intent: `it${mark}` };
      models.say(JSON.stringify(summary));
      const texts = Object.entries(summary).map(([name, text]) => [name, kept(text)]);
      assert.deepEqual((await ask('summary')).body, Object.fromEntries(texts));
    });
  });
}

describe('an answer that cannot be recorded', () => {
  it('becomes a hand-over after a few tries, and is charged once', async () => {
    const of = await open();
    const refusal = { on: 'before insert on ai_answers', when: `new.outcome = 'sent'`, body: `raise 'not this one';` };
    await withTrigger(majlis, refusal, async () => {
      models.requests.length = 0;
      models.say('We open at nine.');
      await write(of, 'When do you open?');
      const answers = await eventually(
        async () => {
          await majlis.advance(10);
          return untilAnswers(of, 0);
        },
        ({ length }) => length > 0,
      );
      assert.deepEqual([answers[0].outcome, answers[0].reason], ['handed_over', 'it failed several times']);
      assert.equal(await controllerOf(of), 'human');
      assert.equal(models.requests.length, 3);
      assert.equal(await creditsOf(of), 2);
      assert.ok((await messagesOf(of)).every(({ direction, kind }) => direction === 'inbound' || kind === 'note'));
    });
  });
});
