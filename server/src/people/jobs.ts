import type { EndedByProof } from '@majlis/console-api';
import type { NewJob } from '../jobs/job.ts';

/** E-mails a link to reset a password, if the address has an account. Group: the kind, because it belongs to no tenant. */
export const mailReset = 'people.mail_reset';

/** E-mails an invitation. Group: the workspace. */
export const mailInvitation = 'people.mail_invitation';

/** Tells the owner of an address, and the log, what their proof of it ended. Group: the kind, because it belongs to no tenant. */
export const mailProof = 'people.mail_proof';

/** Deletes ended sessions, expired links and expired challenges every hour. */
export const forgetSessions = 'people.forget_sessions';

export interface InvitationMail {
  workspace_id: string;
  email: string;
  /** The sealed token of the link, in base64. */
  token: string;
}

export interface ProofMail {
  person_id: string;
  email: string;
  ended: readonly EndedByProof[];
}

// A group of its own for what belongs to no workspace.
const noWorkspace = '00000000-0000-0000-0000-000000000000';

export function mailResetJob(email: string, run_at: Date): NewJob {
  return { kind: mailReset, group_id: noWorkspace, payload: JSON.stringify({ email }), run_at };
}

export function mailProofJob(mail: ProofMail, run_at: Date): NewJob {
  return { kind: mailProof, group_id: noWorkspace, payload: JSON.stringify(mail), run_at };
}

export function mailInvitationJob(mail: InvitationMail, run_at: Date): NewJob {
  return { kind: mailInvitation, group_id: mail.workspace_id, payload: JSON.stringify(mail), run_at };
}
