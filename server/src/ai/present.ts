import type { AiAgent } from '@majlis/contract';
import { publicId } from '../database/ids.ts';
import type { AiAgentRow } from './list-ai-agents.ts';

export function presentAiAgent({ id, name, status, languages }: AiAgentRow): AiAgent {
  return { id: publicId('ai_agent', id), name, ...(status !== null && { status }), languages };
}
