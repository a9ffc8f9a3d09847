import type { Connection } from '../database/pool.ts';
import { statement } from '../database/query.ts';

/** The assignment of new conversations: to the next available agent, or to nobody. */
export type Assignment = 'round_robin' | 'none';

/** The operator's settings for the conversations of a workspace. Null leaves the stored value. */
export interface ConversationSettings {
  assignment: Assignment | null;
  csat_text: string | null;
}

const upsertSettings = statement(`
  insert into conversation_settings as s (workspace_id, assignment, csat_text)
  values ($1, coalesce($2, 'round_robin'), $3)
  on conflict (workspace_id) do update set assignment = coalesce($2, s.assignment), csat_text = coalesce($3, s.csat_text)
  where (s.assignment, s.csat_text) is distinct from (coalesce($2, s.assignment), coalesce($3, s.csat_text))`);

export async function saveConversationSettings(
  connection: Connection,
  workspace_id: string,
  { assignment, csat_text }: ConversationSettings,
): Promise<void> {
  await upsertSettings(connection, [workspace_id, assignment, csat_text]);
}

const selectWording = statement<{ csat_text: string | null; language: string | null }>(`
  select s.csat_text, w.language from workspaces w left join conversation_settings s on s.workspace_id = w.id
  where w.id = $1`);

const wordings: Record<string, string> = {
  ar: 'ما مدى رضاك عن خدمتنا؟ نرجو الرد برقم من 1 (غير راضٍ) إلى 5 (راضٍ جدًا).',
  en: 'How satisfied are you with our service? Please reply with a number from 1 (not at all) to 5 (very).',
};

/** The text of the satisfaction survey: the operator's, or ours in the workspace's language. */
export async function findSurveyText(connection: Connection, workspace_id: string): Promise<string> {
  const [row] = await selectWording(connection, [workspace_id]);
  const language = row?.language?.toLowerCase().split('-')[0] ?? '';
  return row?.csat_text ?? wordings[language] ?? wordings.en!;
}
