export type GraphTemplateStatus =
  | 'PENDING'
  | 'APPROVED'
  | 'REJECTED'
  | 'PAUSED'
  | 'DISABLED'
  | 'FLAGGED'
  | 'IN_APPEAL'
  | 'REINSTATED'
  | 'LOCKED'
  | 'LIMIT_EXCEEDED'
  | 'ARCHIVED'
  | 'UNARCHIVED'
  | 'PENDING_DELETION'
  | 'DELETED';

export type GraphComponent = {
  type: string;
  format?: string;
  text?: string;
  buttons?: GraphButton[];
  example?: Record<string, unknown>;
  add_security_recommendation?: boolean;
  code_expiration_minutes?: number;
};

export type GraphButton = {
  type: string;
  text?: string;
  url?: string;
  phone_number?: string;
  example?: string[] | string;
  otp_type?: string;
};

export type TemplateOptions = {
  /** Absent: all business accounts. */
  waba_id?: string;
  name: string;
  language: string;
  category: string;
  status?: GraphTemplateStatus;
  parameter_format?: string;
  components: GraphComponent[];
};

export type GraphTemplate = {
  id: string;
  waba_id: string;
  name: string;
  language: string;
  category: string;
  previous_category?: string;
  status: GraphTemplateStatus;
  parameter_format: 'POSITIONAL' | 'NAMED';
  components: GraphComponent[];
  rejected_reason: string;
  quality: string;
  message_send_ttl_seconds?: number;
  created_at: number;
  paused_at?: number;
  /** Times of edits of the approved template. */
  edits: number[];
};

const sendable = new Set<GraphTemplateStatus>(['APPROVED', 'REINSTATED', 'FLAGGED', 'UNARCHIVED']);

export function isSendable(template: GraphTemplate): boolean {
  return sendable.has(template.status);
}

/** `{{1}}` or `{{first_name}}`, in order of appearance. */
export function variablesOf(text: string | undefined): string[] {
  return [...(text ?? '').matchAll(/\{\{([^{}]*)\}\}/g)].map((match) => match[1]!.trim());
}

export function componentOf(template: GraphTemplate, type: string): GraphComponent | undefined {
  return template.components.find((part) => part.type === type);
}
