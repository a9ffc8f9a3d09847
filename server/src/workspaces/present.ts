import type { Key, Wallet, Workspace } from '@majlis/contract';
import { publicId } from '../database/ids.ts';
import type { KeyCaller } from '../http/authenticate.ts';
import type { WalletRow } from './read-wallet.ts';

/** The columns of `workspaces` that the contract shows. */
export interface WorkspaceRow {
  id: string;
  name: string;
  industry: string | null;
  country: string | null;
  timezone: string | null;
  language: string | null;
  plan: string | null;
}

export function presentWorkspace({ id, name, industry, country, timezone, language, plan }: WorkspaceRow): Workspace {
  return {
    id: publicId('workspace', id),
    name,
    ...(industry !== null && { industry }),
    ...(country !== null && { country }),
    ...(timezone !== null && { timezone }),
    ...(language !== null && { language }),
    ...(plan !== null && { plan }),
  };
}

export function presentWallet({ balance_minor, currency }: WalletRow): Wallet {
  return { balance_minor, ...(currency !== null && { currency }) };
}

export function presentKey({ workspace_id, workspace_name, environment, key_prefix, scopes }: KeyCaller): Key {
  return {
    workspace_id: publicId('workspace', workspace_id),
    workspace_name,
    environment: environment as Key['environment'],
    key_prefix,
    scopes,
  };
}
