import type { GraphTemplateChange } from './change-template.ts';

/** The outcome that the ending of a template's name orders; other names are approved. */
export type TemplateScript = {
  ending: string;
  description: string;
  /** The reviews in order; absent: the template stays pending. */
  verdicts?: GraphTemplateChange[];
  /** The fault of the first call that creates it. */
  fault?: 'answer_lost' | 'unavailable' | 'rate_limited';
};

const approved: GraphTemplateChange = { status: 'APPROVED' };

export const templateScripts: TemplateScript[] = [
  {
    ending: '_rejected',
    description: 'rejected with INVALID_FORMAT',
    verdicts: [{ status: 'REJECTED', reason: 'INVALID_FORMAT' }],
  },
  {
    ending: '_promotional',
    description: 'rejected with PROMOTIONAL',
    verdicts: [{ status: 'REJECTED', reason: 'PROMOTIONAL' }],
  },
  { ending: '_pending', description: 'stays pending' },
  {
    ending: '_paused',
    description: 'approved, then paused for low quality',
    verdicts: [
      approved,
      { quality: 'RED' },
      { status: 'PAUSED', other_info: { title: 'FIRST_PAUSE', description: 'Paused for 3 hours' } },
    ],
  },
  {
    ending: '_disabled',
    description: 'approved, then disabled for good',
    verdicts: [approved, { status: 'DISABLED' }],
  },
  {
    ending: '_recategorised',
    description: 'approved as MARKETING',
    verdicts: [{ ...approved, category: 'MARKETING' }],
  },
  {
    ending: '_lost',
    description: 'created, but the first call is never answered: the connection is reset',
    verdicts: [approved],
    fault: 'answer_lost',
  },
  {
    ending: '_unavailable',
    description: 'refused the first time with 2: temporary downtime',
    verdicts: [approved],
    fault: 'unavailable',
  },
  {
    ending: '_limited',
    description: 'refused the first time with 80007: rate limit of the account',
    verdicts: [approved],
    fault: 'rate_limited',
  },
];

const otherwise: Omit<TemplateScript, 'ending' | 'description'> = { verdicts: [approved] };

export function templateScriptFor(name: string): Omit<TemplateScript, 'ending' | 'description'> {
  return templateScripts.find(({ ending }) => name.endsWith(ending)) ?? otherwise;
}
