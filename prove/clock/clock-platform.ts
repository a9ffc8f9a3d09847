import { randomUUID } from 'node:crypto';
import { samples } from '@majlis/testing/media';
import {
  type PlatformAnswer,
  type PlatformRequest,
  type ScriptedPlatform,
  startScriptedPlatform,
} from '@majlis/testing/scripted-platform';

/** A scripted platform that also keeps templates and the files of customers. */
export interface ClockPlatform extends ScriptedPlatform {
  /** The templates that the platform lists. */
  listed: ListedTemplate[];
  /** Operations that the platform refuses for now. */
  refuses: { files: boolean; deletions: boolean };
}

export interface ListedTemplate {
  id: string;
  waba_id: string;
  name: string;
}

export async function startClockPlatform(): Promise<ClockPlatform> {
  const platform: ClockPlatform = Object.assign(await startScriptedPlatform(answer), {
    listed: [],
    refuses: { files: false, deletions: false },
  });

  function answer(request: PlatformRequest): PlatformAnswer {
    const { method, id, edge } = request;
    if (edge === 'bytes') return [200, samples.png];
    if (edge === 'message_templates') return answerTemplates(request);
    if (method === 'POST' && edge === 'media') return [200, { id: randomUUID() }];
    // A number without settings, or the file of a customer.
    if (platform.refuses.files && id.startsWith('file-')) return [503, {}];
    return [200, { url: `${platform.api_url}/${id}/bytes` }];
  }

  function answerTemplates({ method, id: waba_id, query, bytes }: PlatformRequest): PlatformAnswer {
    if (method === 'POST') {
      const id = String(platform.requests.length);
      const template = { ...JSON.parse(bytes.toString()), id, waba_id, status: 'APPROVED' };
      platform.listed.push(template);
      return [200, template];
    }
    if (method === 'GET') return [200, { data: platform.listed.filter((one) => one.waba_id === waba_id) }];
    if (platform.refuses.deletions) return [400, { error: { code: 100 } }];
    platform.listed = platform.listed.filter(({ id }) => id !== query.get('hsm_id'));
    return [200, { success: true }];
  }

  return platform;
}
