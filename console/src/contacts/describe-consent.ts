import type { ConsentRecord } from '@majlis/console-api';
import { t } from '../words/words.ts';

export function consentName(key: string): string {
  return key === 'chatapp_marketing' ? t('contact.consent_marketing') : key;
}

export function decisionText({ granted, value }: ConsentRecord): string {
  if (granted === undefined) return value ?? '';
  return t(granted ? 'contact.granted' : 'contact.withdrawn');
}

export function sourceText(source: ConsentRecord['source']): string {
  return t(`consent.source_${source}`);
}

/** Undefined where the source says it. */
export function actorText({ actor_kind, actor_name, source }: ConsentRecord): string | undefined {
  if (actor_kind === 'user') return actor_name ?? t('consent.former_member');
  if (actor_kind === 'api_key') return actor_name;
  return actor_kind === 'contact' && source !== 'inbound_message' ? t('consent.by_contact') : undefined;
}
