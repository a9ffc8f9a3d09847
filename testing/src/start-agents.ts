import assert from 'node:assert/strict';
import { eventually } from './eventually.ts';
import { hear } from './hear.ts';
import type { Json } from './json.ts';
import { newDigits } from './messages.ts';
import { startModelServer } from './model-server.ts';
import { hearFrom } from './notices.ts';
import { type Majlis, startMajlis, type Workspace } from './start-majlis.ts';

export interface Controlled {
  workspace: Workspace;
  conversation: string;
  digits: string;
  agent_id: string;
}

/** Starts the service with a server of models, and what leads a conversation with an agent. */
export async function startAgents(env: Record<string, string> = {}) {
  const models = await startModelServer();
  const majlis = await startMajlis({
    env: {
      ...{ RATE_LIMITS: 'off', AI_BASE_URL: models.url, AI_MODEL: 'test-model' },
      ...{ AI_TIMEOUT_SECONDS: '60', AI_QUIET_SECONDS: '0' },
      ...env,
    },
  });

  /** A conversation that an agent controls. */
  async function open(file: object = {}, service: Majlis = majlis): Promise<Controlled> {
    const workspace = await service.workspace({
      ai_agents: [
        { name: 'Concierge', languages: ['en', 'ar'], instructions: 'You work for a furniture shop.', ...file },
      ],
    });
    const digits = newDigits();
    const conversation = (await hear(service, workspace, digits)).conversation_id;
    const agent_id = workspace.applied.ai_agents[0].id;
    const handed = await workspace.api.post(`/conversations/${conversation}/handover`, {
      to: 'bot',
      ai_agent_id: agent_id,
    });
    assert.equal(handed.status, 200, handed.text);
    return { workspace, conversation, digits, agent_id };
  }

  const write = ({ workspace, digits }: Controlled, text: string, service: Majlis = majlis) =>
    hearFrom(service, workspace, digits, text);

  async function answersOf({ workspace }: Controlled, service: Majlis = majlis): Promise<Json[]> {
    return (await service.operator('GET', `/workspaces/${workspace.id}/ai-answers`)).body.data;
  }

  function untilAnswers(of: Controlled, count: number, service: Majlis = majlis): Promise<Json[]> {
    return eventually(
      () => answersOf(of, service),
      (answers) => answers.length >= count,
    );
  }

  /** Waits until no agent has anything to answer. */
  async function settled(): Promise<void> {
    await eventually(
      () => majlis.sql(`select id from jobs where kind = 'ai.answer_message'`),
      (jobs) => jobs.length === 0,
    );
  }

  return { models, majlis, open, write, answersOf, untilAnswers, settled };
}

export async function messagesOf({ workspace, conversation }: Controlled): Promise<Json[]> {
  return (await workspace.api.get(`/conversations/${conversation}/messages`)).body.data;
}

export const controllerOf = async ({ workspace, conversation }: Controlled): Promise<string> =>
  (await workspace.api.get(`/conversations/${conversation}`)).body.controller;
