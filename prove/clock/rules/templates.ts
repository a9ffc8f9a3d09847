import { limits } from '@majlis/contract';
import type { AnyJson } from '@majlis/testing/json';
import { hour, minute, type RuleContext, type RuleGroup } from '../rule.ts';
import {
  countDeletions,
  countRequests,
  createDraftTemplate,
  createSubmittedTemplate,
  deleteSubmittedTemplate,
  draft,
  removeFromList,
  reportTemplateStatus,
  type SubmittedTemplate,
  syncTemplateList,
} from '../template-steps.ts';

const block_ms = limits.template_name_block_seconds * 1000;

export const templateRules: RuleGroup = {
  file: { channel: { display_phone: '+96880000001' } },
  rules: [
    {
      name: 'the name of a deleted template is blocked for 30 days',
      async open(context) {
        const gone = [
          await deleteSubmittedTemplate(context),
          await deleteSubmittedTemplate(context),
          await deleteSubmittedTemplate(context),
        ];
        const observe = async () =>
          (await context.api.post('/chatapp/templates', { ...draft, name: gone.pop()!.name })).status;
        return { edge_ms: await withoutReading(context, context.nowMs() + block_ms), observe };
      },
      before: 422,
      after: 201,
    },
    {
      name: 'the name of a template that was deleted at the platform is passed over in a file for 30 days',
      async open(context) {
        const gone = [
          await createSubmittedTemplate(context),
          await createSubmittedTemplate(context),
          await createSubmittedTemplate(context),
        ];
        for (const { at_platform } of gone) {
          removeFromList(context, at_platform);
          await reportTemplateStatus(context, at_platform, 'DELETED');
        }
        const observe = async () =>
          (await context.apply({ templates: [{ ...draft, name: gone.pop()!.name }] })).templates.length;
        return { edge_ms: await withoutReading(context, context.nowMs() + block_ms), observe };
      },
      before: 0,
      after: 1,
    },
    {
      name: 'a deleted template that the platform lists still is left aside for 30 days',
      async open(context) {
        const { name, at_platform } = await deleteSubmittedTemplate(context);
        context.platform.listed.push(at_platform);
        const observe = async () => {
          await syncTemplateList(context);
          const { data } = (await context.api.get('/chatapp/templates')).body as AnyJson;
          return data.some((one: AnyJson) => one.name === name);
        };
        return { edge_ms: context.nowMs() + block_ms, observe };
      },
    },
    {
      name: 'a template that the platform’s list leaves out is gone after 5 minutes without a change',
      async open(context) {
        const { id, at_platform } = await createSubmittedTemplate(context);
        removeFromList(context, at_platform);
        const observe = async () => {
          await syncTemplateList(context);
          return (await context.api.get(`/chatapp/templates/${id}`)).status;
        };
        return { edge_ms: context.nowMs() + 5 * minute, observe };
      },
      before: 200,
      after: 404,
    },
    {
      name: 'the templates of an account are read every ten minutes',
      async open(context) {
        await syncTemplateList(context);
        const reads = () => countRequests(context, `GET /${context.waba_id}/message_templates`);
        const before = reads();
        return { edge_ms: context.nowMs() + 10 * minute, observe: async () => reads() - before };
      },
      before: 0,
      after: 1,
      comes: true,
    },
    {
      name: 'the state of a number is read every hour',
      async open(context) {
        const told = { display_phone_number: '96880000001', decision: 'APPROVED', requested_verified_name: 'Acme' };
        await context.report(told, 'phone_number_name_update');
        const reads = () => countRequests(context, `GET /${context.phone_number_id}?`);
        const before = reads();
        return { edge_ms: context.nowMs() + hour, observe: async () => reads() - before };
      },
      before: 0,
      after: 1,
      comes: true,
    },
    {
      name: 'of more than a hundred new templates the others are submitted when an hour has passed',
      async open(context) {
        const { waba_id, nowMs, moveTo, settled } = context;
        await moveTo(nowMs() + hour);
        const submitted = () => countRequests(context, `POST /${waba_id}/message_templates`);
        const before = submitted();
        await Promise.all(Array.from({ length: 102 }, () => createDraftTemplate(context)));
        await settled();
        return { edge_ms: nowMs() + hour, observe: async () => submitted() - before };
      },
      before: 100,
      after: 102,
      comes: true,
    },
  ],
  schedules: [
    {
      name: 'a template that the platform does not delete: again every hour',
      delays_ms: [hour, hour, hour],
      spread_ms: () => 0,
      async open(context) {
        context.platform.refuses.deletions = true;
        const template = await deleteSubmittedTemplate(context);
        return { made: () => countDeletions(context, template) };
      },
    },
  ],
  age_rules: [
    {
      name: 'a template that the platform does not delete is let alone once its name is free',
      age_ms: block_ms,
      async open(context) {
        const { platform, moveTo, settled } = context;
        platform.refuses.deletions = true;
        const templates = new Map<string, SubmittedTemplate>();
        const before = new Map<string, number>();
        return {
          async make() {
            const template = await deleteSubmittedTemplate(context);
            templates.set(template.id, template);
            return template.id;
          },
          async meet(edge_ms) {
            await moveTo(edge_ms);
            await settled();
            for (const [id, template] of templates) before.set(id, countDeletions(context, template));
            await moveTo(edge_ms + hour);
            await settled();
          },
          observe: async (id) => countDeletions(context, templates.get(id)!) - before.get(id)!,
        };
      },
      expected: [1, 0, 0],
    },
  ],
};

/** So that the account is read neither at the edge nor about it: what it forgets then would not be asked for. */
async function withoutReading({ moveTo, settled }: RuleContext, edge_ms: number): Promise<number> {
  await moveTo(edge_ms - 5 * minute);
  await settled();
  return edge_ms;
}
