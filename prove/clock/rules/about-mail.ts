import { limits } from '@majlis/contract';
import { smtpError } from '@majlis/testing/mail-server';
import { failNow, openFailing, retryLater } from '../failing-endpoint.ts';
import { type AgeRule, type Chapter, day, minute, type Scene } from '../rule.ts';

export const aboutMail: Chapter = {
  file: { users: [{ name: 'Aisha', email: 'aisha@acme.example', role: 'admin' }] },
  age_rules: [
    {
      name: 'an e-mail about a mention is given up after more than a day',
      age_ms: day,
      open: async (scene) => ({
        ...refusedUntilMet(scene),
        async make() {
          const { conversation } = await scene.hear();
          await scene.api.post(`/conversations/${conversation}/notes`, { body: '@Aisha, please look.' });
          return conversation;
        },
      }),
      expected: [true, true, false],
    },
    {
      name: 'an e-mail about a disabled endpoint is given up after more than three days',
      age_ms: 3 * day,
      async open(scene) {
        const began = scene.nowMs();
        const endpoints: string[] = [];
        for (let n = 0; n < 3; n++) {
          await scene.moveTo(began + n);
          endpoints.push((await openFailing(scene)).id);
        }
        await retryLater(scene);
        // Each ends its three days a millisecond behind the one before.
        await scene.moveTo(began + limits.webhook.disable_after_seconds * 1000);
        return {
          ...refusedUntilMet(scene),
          async make() {
            const id = endpoints.shift()!;
            await failNow(scene, id);
            return id;
          },
        };
      },
      expected: [true, true, false],
    },
  ],
};

/** The mail server takes nothing at that moment, and everything soon after. */
function refusedUntilMet({ mail, moveTo, settled }: Scene): Omit<Awaited<ReturnType<AgeRule['open']>>, 'make'> {
  mail.script.recipient = () => smtpError(450);
  return {
    async meet(edge_ms) {
      await moveTo(edge_ms);
      await settled();
      delete mail.script.recipient;
      await moveTo(edge_ms + 10 * minute);
      await settled();
    },
    look: async (about) => mail.received.some(({ source }) => source.includes(about)),
  };
}
