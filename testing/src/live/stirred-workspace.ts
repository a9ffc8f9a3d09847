import { newDigits } from '../messages.ts';
import { joinWorkspace } from '../people.ts';
import type { TestService } from '../start-test-service.ts';
import type { StirredWorkspace } from './stir-workspace.ts';

/** A workspace with an owner, three agents, two teams and a few customers. */
export async function startStirredWorkspace(majlis: TestService): Promise<StirredWorkspace> {
  const emails = ['sara', 'omar', 'lina'].map((name) => `${name}-${newDigits()}@acme.example`);
  const workspace = await majlis.workspace({
    users: emails.map((email) => ({ name: email, email, role: 'agent' })),
    teams: [
      { name: 'Sales', members: emails.slice(0, 2) },
      { name: 'Care', members: emails.slice(1) },
    ],
  });
  const { phone_number_id } = workspace;
  const owner = await joinWorkspace(majlis, workspace);
  const agents = await Promise.all(emails.map((email) => joinWorkspace(majlis, workspace, { role: 'agent', email })));
  for (const { user_id } of agents.slice(0, 2)) {
    await owner.at('PATCH', `/members/${user_id}`, { own_teams_only: true });
  }
  return {
    owner,
    agents,
    team_ids: workspace.applied.teams.map(({ id }: { id: string }) => id),
    customers: Array.from({ length: 12 }, () => newDigits()),
    inject: (from, content) => void majlis.simulator.inject({ phone_number_id, from, type: 'text', content }),
  };
}
