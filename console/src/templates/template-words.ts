import type { ComingCategory } from '@majlis/console-api';
import type { Template, TemplateStatus } from '@majlis/contract';
import { categoryWords } from '../composer/template-list.tsx';
import { isolated } from '../words/isolated.ts';
import type { WordId } from '../words/word-id.ts';
import { fullTime, isWord, t } from '../words/words.ts';

export const statusWords: Record<TemplateStatus, WordId> = {
  draft: 'templates.status_draft',
  pending: 'templates.status_pending',
  approved: 'templates.status_approved',
  rejected: 'templates.status_rejected',
  paused: 'templates.status_paused',
  disabled: 'templates.status_disabled',
};

export const statusKinds: Record<TemplateStatus, 'plain' | 'accent' | 'warning'> = {
  draft: 'plain',
  pending: 'plain',
  approved: 'accent',
  rejected: 'warning',
  paused: 'warning',
  disabled: 'warning',
};

export const qualityWords = {
  GREEN: 'channels.quality_green',
  YELLOW: 'channels.quality_yellow',
  RED: 'channels.quality_red',
  UNKNOWN: 'channels.quality_unknown',
} as const satisfies Record<string, WordId>;
type Quality = keyof typeof qualityWords;
/** The worst first: people look for what is in danger. */
export const qualityOrder: readonly Quality[] = ['RED', 'YELLOW', 'GREEN', 'UNKNOWN'];

export function qualityOf({ quality }: Pick<Template, 'quality'>): Quality {
  return qualityOrder.find((one) => one === quality) ?? 'UNKNOWN';
}

/** Undefined until customers have rated the template. */
export function qualityText(template: Pick<Template, 'quality'>): string | undefined {
  const quality = qualityOf(template);
  return quality === 'UNKNOWN' ? undefined : t('templates.quality', { quality: t(qualityWords[quality]) });
}

/** The reason in the person's language, where it is one of the platform's known words. */
export function reasonText({ rejection_reason = '' }: Pick<Template, 'rejection_reason'>): string {
  const id = `templates.reason_${rejection_reason.toLowerCase()}`;
  return isWord(id) ? t(id) : isolated(rejection_reason);
}

/** The category that the platform has announced, and when it holds. */
export function comingText({ category, changes_at }: ComingCategory): string {
  const words = { category: t(categoryWords[category]) };
  if (changes_at === undefined) return t('templates.coming_category_soon', words);
  return t('templates.coming_category', { ...words, date: fullTime(changes_at) });
}
