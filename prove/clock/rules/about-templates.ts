import { limits } from '@majlis/contract';
import type { AnyJson } from '@majlis/testing/json';
import {
  asked,
  type Created,
  create,
  deletionsOf,
  draft,
  readList,
  remove,
  report,
  submit,
  unlist,
} from '../created-template.ts';
import { type Chapter, hour, minute, type Scene } from '../rule.ts';

const block_ms = limits.template_name_block_seconds * 1000;

export const aboutTemplates: Chapter = {
  file: { channel: { display_phone: '+96880000001' } },
  rules: [
    {
      name: 'the name of a deleted template is blocked for 30 days',
      async open(scene) {
        const gone = [await remove(scene), await remove(scene), await remove(scene)];
        const look = async () =>
          (await scene.api.post('/chatapp/templates', { ...draft, name: gone.pop()!.name })).status;
        return { edge_ms: await withoutReading(scene, scene.nowMs() + block_ms), look };
      },
      before: 422,
      after: 201,
    },
    {
      name: 'the name of a template that was deleted at the platform is passed over in a file for 30 days',
      async open(scene) {
        const gone = [await submit(scene), await submit(scene), await submit(scene)];
        for (const { at_platform } of gone) {
          unlist(scene, at_platform);
          await report(scene, at_platform, 'DELETED');
        }
        const look = async () =>
          (await scene.apply({ templates: [{ ...draft, name: gone.pop()!.name }] })).templates.length;
        return { edge_ms: await withoutReading(scene, scene.nowMs() + block_ms), look };
      },
      before: 0,
      after: 1,
    },
    {
      name: 'a deleted template that the platform lists still is left aside for 30 days',
      async open(scene) {
        const { name, at_platform } = await remove(scene);
        scene.platform.listed.push(at_platform);
        const look = async () => {
          await readList(scene);
          const { data } = (await scene.api.get('/chatapp/templates')).body as AnyJson;
          return data.some((one: AnyJson) => one.name === name);
        };
        return { edge_ms: scene.nowMs() + block_ms, look };
      },
      before: false,
      after: true,
    },
    {
      name: 'a template that the platform’s list leaves out is gone after 5 minutes without a change',
      async open(scene) {
        const { id, at_platform } = await submit(scene);
        unlist(scene, at_platform);
        const look = async () => {
          await readList(scene);
          return (await scene.api.get(`/chatapp/templates/${id}`)).status;
        };
        return { edge_ms: scene.nowMs() + 5 * minute, look };
      },
      before: 200,
      after: 404,
    },
    {
      name: 'the templates of an account are read every ten minutes',
      async open(scene) {
        await readList(scene);
        const reads = () => asked(scene, `GET /${scene.waba_id}/message_templates`);
        const before = reads();
        return { edge_ms: scene.nowMs() + 10 * minute, look: async () => reads() - before };
      },
      before: 0,
      after: 1,
      comes: true,
    },
    {
      name: 'the state of a number is read every hour',
      async open(scene) {
        const told = { display_phone_number: '96880000001', decision: 'APPROVED', requested_verified_name: 'Acme' };
        await scene.report(told, 'phone_number_name_update');
        const reads = () => asked(scene, `GET /${scene.phone_number_id}?`);
        const before = reads();
        return { edge_ms: scene.nowMs() + hour, look: async () => reads() - before };
      },
      before: 0,
      after: 1,
      comes: true,
    },
    {
      name: 'of more than a hundred new templates the others are submitted when an hour has passed',
      async open(scene) {
        const { waba_id, nowMs, moveTo, settled } = scene;
        await moveTo(nowMs() + hour);
        const submitted = () => asked(scene, `POST /${waba_id}/message_templates`);
        const before = submitted();
        await Promise.all(Array.from({ length: 102 }, () => create(scene)));
        await settled();
        return { edge_ms: nowMs() + hour, look: async () => submitted() - before };
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
      async open(scene) {
        scene.platform.refuses.deletions = true;
        const template = await remove(scene);
        return { made: () => deletionsOf(scene, template) };
      },
    },
  ],
  age_rules: [
    {
      name: 'a template that the platform does not delete is let alone once its name is free',
      age_ms: block_ms,
      async open(scene) {
        const { platform, moveTo, settled } = scene;
        platform.refuses.deletions = true;
        const templates = new Map<string, Created>();
        const before = new Map<string, number>();
        return {
          async make() {
            const template = await remove(scene);
            templates.set(template.id, template);
            return template.id;
          },
          async meet(edge_ms) {
            await moveTo(edge_ms);
            await settled();
            for (const [id, template] of templates) before.set(id, deletionsOf(scene, template));
            await moveTo(edge_ms + hour);
            await settled();
          },
          look: async (id) => deletionsOf(scene, templates.get(id)!) - before.get(id)!,
        };
      },
      expected: [1, 0, 0],
    },
  ],
};

/** So that the account is read neither at the edge nor about it: what it forgets then would not be asked for. */
async function withoutReading({ moveTo, settled }: Scene, edge_ms: number): Promise<number> {
  await moveTo(edge_ms - 5 * minute);
  await settled();
  return edge_ms;
}
