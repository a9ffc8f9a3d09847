import assert from 'node:assert/strict';
import { eventually } from './eventually.ts';
import type { AnyJson } from './json.ts';
import { newDigits } from './messages.ts';
import { startModelServer } from './model-server.ts';
import { receiveText } from './notifications.ts';
import { receiveMessage } from './receive-message.ts';
import { startTestService, type TestService, type TestWorkspace } from './start-test-service.ts';

export interface AgentConversation {
  workspace: TestWorkspace;
  conversation: string;
  digits: string;
  agent_id: string;
}

/** Starts the service with a server of models, and what leads a conversation with an agent. */
export async function startAgents(env: Record<string, string> = {}) {
  const models = await startModelServer();
  const majlis = await startTestService({
    env: {
      ...{ RATE_LIMITS: 'off', AI_BASE_URL: models.url, AI_MODEL: 'test-model' },
      ...{ AI_TIMEOUT_SECONDS: '60', AI_QUIET_SECONDS: '0' },
      ...env,
    },
  });

  /** A conversation that an agent controls. */
  async function open(file: object = {}, service: TestService = majlis): Promise<AgentConversation> {
    const workspace = await service.workspace({
      ai_agents: [
        { name: 'Concierge', languages: ['en', 'ar'], instructions: 'You work for a furniture shop.', ...file },
      ],
    });
    const digits = newDigits();
    const conversation = (await receiveMessage(service, workspace, digits)).conversation_id;
    const agent_id = workspace.applied.ai_agents[0].id;
    const handed = await workspace.api.post(`/conversations/${conversation}/handover`, {
      to: 'bot',
      ai_agent_id: agent_id,
    });
    assert.equal(handed.status, 200, handed.text);
    return { workspace, conversation, digits, agent_id };
  }

  const write = ({ workspace, digits }: AgentConversation, text: string, service: TestService = majlis) =>
    receiveText(service, workspace, digits, text);

  async function answersOf({ workspace }: AgentConversation, service: TestService = majlis): Promise<AnyJson[]> {
    return (await service.operator('GET', `/workspaces/${workspace.id}/ai-answers`)).body.data;
  }

  function untilAnswers(of: AgentConversation, count: number, service: TestService = majlis): Promise<AnyJson[]> {
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

export async function messagesOf({ workspace, conversation }: AgentConversation): Promise<AnyJson[]> {
  return (await workspace.api.get(`/conversations/${conversation}/messages`)).body.data;
}

export const controllerOf = async ({ workspace, conversation }: AgentConversation): Promise<string> =>
  (await workspace.api.get(`/conversations/${conversation}`)).body.controller;
