import type { PlatformError } from './send-outcome.ts';

// Templates in the contract's terms.

export type PlatformTemplateStatus = 'draft' | 'pending' | 'approved' | 'rejected' | 'paused' | 'disabled';

/** The contract's Component. */
export interface PlatformTemplateComponent {
  type: string;
  format?: string;
  text?: string;
  examples?: string[];
  buttons?: { type: string; text?: string; url?: string; phone_number?: string }[];
}

export interface PlatformTemplate {
  platform_template_id: string;
  name: string;
  language: string;
  category: string;
  /** `undefined` for a status this version does not know. */
  status: PlatformTemplateStatus | 'deleted' | undefined;
  components: PlatformTemplateComponent[];
  /** How the platform tells the variables apart. */
  parameter_format?: 'named' | 'positional';
  quality?: string;
  rejection_reason?: string;
}

/** A template to create, in the contract's terms. */
export interface NewTemplate {
  name: string;
  language: string;
  category: string;
  components: PlatformTemplateComponent[];
}

export type TemplateCreation =
  /** Values that the platform omits, or that this version does not know, are absent. */
  | { type: 'created'; platform_template_id: string; status: PlatformTemplateStatus | undefined; category?: string }
  | TemplateFailure;

export type TemplateFailure =
  /** The account has a template of this name and language. */
  | { type: 'exists' }
  /** `doubtful`: the code of the refusal is unknown to this version. */
  | { type: 'refused'; error: PlatformError; doubtful: boolean }
  /** The platform was unreachable, or refuses the whole account. */
  | { type: 'away'; reason: string };
