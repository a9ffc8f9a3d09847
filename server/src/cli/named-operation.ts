import type { ExtensionOperation, Operation } from '@majlis/contract';
import type { MethodName } from '@majlis/contract/method-names';
import type { Option } from 'commander';

/** An operation with its name in the client. */
export interface NamedOperation extends MethodName {
  operation: Operation & Partial<ExtensionOperation>;
}

/** A member of the body or the query, and the option that gives it. */
export interface MemberOption {
  member: string;
  option: Option;
}

export function isPaged({ reply }: Operation): boolean {
  return 'next_cursor' in ((reply.body as { properties?: object } | undefined)?.properties ?? {});
}

/** `listMessages` and `ai_agent_id` as people type them. */
export function toKebab(name: string): string {
  return name.replaceAll('_', '-').replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
