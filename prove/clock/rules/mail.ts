import { limits } from '@majlis/contract';
import { smtpError } from '@majlis/testing/mail-server';
import { createFailedEndpoint, failNow, retryLater } from '../endpoint-steps.ts';
import { type AgeRule, day, minute, type RuleContext, type RuleGroup } from '../rule.ts';

export const mailRules: RuleGroup = {
  file: { users: [{ name: 'Aisha', email: 'aisha@acme.example', role: 'admin' }] },
  age_rules: [
    {
      name: 'an e-mail about a mention is given up after more than a day',
      age_ms: day,
      open: async (context) => ({
        ...refusedUntilMet(context),
        async make() {
          const { conversation } = await context.receive();
          await context.api.post(`/conversations/${conversation}/notes`, { body: '@Aisha, please look.' });
          return conversation;
        },
      }),
      expected: [true, true, false],
    },
    {
      name: 'an e-mail about a disabled endpoint is given up after more than three days',
      age_ms: 3 * day,
      async open(context) {
        const began = context.nowMs();
        const endpoints: string[] = [];
        for (let n = 0; n < 3; n++) {
          await context.moveTo(began + n);
          endpoints.push((await createFailedEndpoint(context)).id);
        }
        await retryLater(context);
        // Each ends its three days a millisecond behind the one before.
        await context.moveTo(began + limits.webhook.disable_after_seconds * 1000);
        return {
          ...refusedUntilMet(context),
          async make() {
            const id = endpoints.shift()!;
            await failNow(context, id);
            return id;
          },
        };
      },
      expected: [true, true, false],
    },
  ],
};

/** The mail server takes nothing at that moment, and everything soon after. */
function refusedUntilMet({ mail, moveTo, settled }: RuleContext): Omit<Awaited<ReturnType<AgeRule['open']>>, 'make'> {
  mail.script.recipient = () => smtpError(450);
  return {
    async meet(edge_ms) {
      await moveTo(edge_ms);
      await settled();
      delete mail.script.recipient;
      await moveTo(edge_ms + 10 * minute);
      await settled();
    },
    observe: async (about) => mail.received.some(({ source }) => source.includes(about)),
  };
}
