import type { EndedByProof } from '@majlis/console-api';
import { newId } from '../database/ids.ts';
import type { Connection } from '../database/pool.ts';
import { statement } from '../database/query.ts';
import type { Transaction } from '../database/transaction.ts';
import { transaction } from '../database/transaction.ts';
import type { Mailer } from '../email/create-mailer.ts';
import { emailOnce } from '../email/email-once.ts';
import { oneLine } from '../email/one-line.ts';
import { enqueueJobs } from '../jobs/enqueue.ts';
import type { Job, JobHandler, JobOutcome } from '../jobs/job.ts';
import type { Resources } from '../process/resources.ts';
import { isOpenable, type SecretBox } from '../secrets/encrypt.ts';
import { getWorkspace } from '../workspaces/read-workspace.ts';
import {
  type InvitationMail,
  mailInvitationJob,
  mailInvitation as mailInvitationKind,
  mailProof,
  mailReset,
  mailResetJob,
  type ProofMail,
} from './jobs.ts';
import { linkTo } from './link-to.ts';
import { makeLink } from './links.ts';
import { findPersonByEmail, isEmail, normalizeEmail } from './people.ts';

type Context = Pick<Resources, 'pool' | 'clock' | 'secretBox'>;

const dayMs = 86_400_000;

/** Known and unknown addresses alike get a job, so neither the answer nor its time tells them apart. */
export async function requestReset({ pool, clock }: Context, email: string): Promise<void> {
  const address = normalizeEmail(email);
  if (!isEmail(address)) return;
  await transaction(pool, (tx) => enqueueJobs(tx, [mailResetJob(address, clock.now())]));
}

/** Enqueues the e-mail of an invitation. The job holds the token sealed: it opens an account. */
export async function mailInvitation(
  tx: Transaction,
  { clock, secretBox }: Context,
  { workspace_id, email, token }: InvitationMail,
): Promise<void> {
  const sealed = secretBox.seal(token, contextOf(workspace_id)).toString('base64');
  await enqueueJobs(tx, [mailInvitationJob({ workspace_id, email, token: sealed }, clock.now())]);
}

// 12 characters of base64 are the 9 bytes that begin a sealed value.
const countTokens = statement<{ count: number }>(`
  select count(*)::int as count from jobs
  where kind = $1 and left(payload::json ->> 'token', 12) = any ($2::text[])`);

/** Counts the invitations that wait for their e-mail with a token that an old key sealed. */
export async function countInvitationsOfOldKeys(connection: Connection, { heads }: SecretBox): Promise<number> {
  const prefixes = heads.old.map((head) => head.toString('base64'));
  return (await countTokens(connection, [mailInvitationKind, prefixes]))[0]!.count;
}

function contextOf(workspace_id: string): string {
  return `jobs.${mailInvitationKind} ${workspace_id}`;
}

export function mailInvitationHandler(resources: Resources, mailer: Mailer): JobHandler {
  const { pool, clock, config, secretBox } = resources;
  async function run(job: Job): Promise<JobOutcome> {
    const { workspace_id, email, token } = JSON.parse(job.payload) as InvitationMail;
    const sealed = Buffer.from(token, 'base64');
    if (!isOpenable(secretBox, sealed)) {
      resources.log.error(
        { workspace_id },
        'an invitation was not mailed: its link was sealed with another SECRET_KEY',
      );
      return { type: 'done' };
    }
    const link = linkTo(config.publicUrl, 'invitation', secretBox.open(sealed, contextOf(workspace_id)));
    const { name } = await getWorkspace(pool, workspace_id);
    return emailOnce(resources, mailer, job, {
      email: {
        to: email,
        key: `invitation.${newId(clock)}`,
        subject: `You are invited to ${oneLine(name)}`,
        text: `Join ${oneLine(name)} on Majlis with this link. It works once, for 24 hours:\n\n${link}\n`,
      },
      what: 'an e-mail with an invitation',
      about: { workspace_id },
      late_at: new Date(clock.nowMs() + dayMs),
    });
  }
  return { kind: mailInvitationKind, concurrency: 4, group_concurrency: 2, run };
}

export function mailResetHandler(resources: Resources, mailer: Mailer): JobHandler {
  const { pool, clock, config } = resources;
  async function run(job: Job): Promise<JobOutcome> {
    const { email } = JSON.parse(job.payload) as { email: string };
    if (!(await findPersonByEmail(pool, email))) return { type: 'done' };
    const link = { kind: 'reset' as const, email, workspace_id: null, role: null, invited_by: null, by_hand: false };
    const { id, token } = await makeLink(pool, clock, link);
    return emailOnce(resources, mailer, job, {
      email: {
        to: email,
        key: `reset.${id}`,
        subject: 'Set a new password',
        text: `Set a new password with this link. It works once, for 24 hours:\n\n${linkTo(config.publicUrl, 'reset', token)}\n\nIf you did not ask for it, ignore this e-mail.\n`,
      },
      what: 'an e-mail to reset a password',
      about: { link_id: id },
      late_at: new Date(clock.nowMs() + dayMs),
    });
  }
  return { kind: mailReset, concurrency: 4, group_concurrency: 4, run };
}

const endedNames: Record<EndedByProof, string> = {
  password: 'the password',
  passkeys: 'the passkeys',
  authenticator: 'the authenticator app with its recovery codes',
  sessions: 'the sessions of all browsers',
};

export function mailProofHandler(resources: Resources, mailer: Mailer): JobHandler {
  const { clock, config, log } = resources;
  async function run(job: Job): Promise<JobOutcome> {
    const { person_id, email, ended } = JSON.parse(job.payload) as ProofMail;
    if (job.failures === 0) log.warn({ person_id, ended }, 'the proof of an e-mail address ended what the account had');
    const lines = ended.map((one) => `- ${endedNames[one]}`).join('\n');
    return emailOnce(resources, mailer, job, {
      email: {
        to: email,
        key: `proof.${newId(clock)}`,
        subject: 'Your e-mail address is confirmed',
        text: `You have shown that this address is yours. Somebody may have made the account for you before, so what it had then has ended:\n\n${lines}\n\nSet up what you need again: ${config.publicUrl}/security\n`,
      },
      what: 'an e-mail about the proof of an address',
      about: { person_id },
      late_at: new Date(clock.nowMs() + dayMs),
    });
  }
  return { kind: mailProof, concurrency: 4, group_concurrency: 4, run };
}
