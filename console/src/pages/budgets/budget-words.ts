import type { BudgetInterval, ScopeMember } from '../../api/budgets';
import { useKeyNames, useKeys } from '../../api/keys';
import { useMembers } from '../../api/members';
import type { BudgetRecord } from '../../api/records';
import { useMay } from '../../api/session';
import { useWorkspaceNames, useWorkspaces } from '../../api/workspaces';
import type { Step } from './budget-tree';

export const INTERVAL_WORDS: Readonly<Record<BudgetInterval, string>> = {
  daily: 'Daily',
  weekly: 'Weekly',
  monthly: 'Monthly',
  lifetime: 'Lifetime',
};

export const MEMBER_WORDS: Readonly<Record<ScopeMember, string>> = {
  workspace_id: 'Workspace',
  user_id: 'Member',
  api_key_hash: 'Key',
  end_user: 'End user',
  tag: 'Tag',
  session: 'Session',
  model: 'Model',
  provider: 'Provider',
  credential_id: 'Credential',
};

export const eachWords = (member: ScopeMember): string => `Each ${MEMBER_WORDS[member].toLowerCase()}`;

export interface BudgetNames {
  /** False while they are loaded: rows have their places by them. */
  readonly isReady: boolean;
  /** The name of a value of a scope. */
  readonly ofValue: (member: ScopeMember, value: string) => string;
  /** Such as "Workspace Research". */
  readonly ofStep: (step: Step) => string;
}

/** The names of workspaces, members and keys, as far as the session may read them. */
export function useBudgetNames(): BudgetNames {
  const nameOfWorkspace = useWorkspaceNames();
  const nameOfKey = useKeyNames();
  const workspaces = useWorkspaces();
  const keys = useKeys();
  const members = useMembers(useMay('members.read'));
  const ofValue = (member: ScopeMember, value: string): string => {
    if (member === 'workspace_id') return nameOfWorkspace(value);
    if (member === 'api_key_hash') return nameOfKey(value);
    if (member !== 'user_id') return value;
    return members.data?.find(({ user_id }) => user_id === value)?.name ?? value.slice(0, 8);
  };
  const ofStep = ({ member, value }: Step): string => {
    if (member === 'account') return 'Account-wide';
    return value === null ? eachWords(member) : `${MEMBER_WORDS[member]} ${ofValue(member, value)}`;
  };
  const isReady = ![workspaces, keys, members].some(({ isLoading }) => isLoading);
  return { isReady, ofValue, ofStep };
}

/** Such as "Workspace Research › Key CI". */
export const pathWords = (path: readonly Step[], { ofStep }: BudgetNames): string => path.map(ofStep).join(' › ');

/** What a text filter looks in. */
export const searchedText = ({ name, interval }: BudgetRecord, path: readonly Step[], names: BudgetNames): string =>
  `${pathWords(path, names)} ${name ?? ''} ${INTERVAL_WORDS[interval]}`.toLowerCase();
