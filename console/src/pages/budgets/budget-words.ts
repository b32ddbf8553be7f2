import type { BudgetInterval, ScopeMember } from '../../api/budgets';
import type { BudgetRecord } from '../../api/records';
import { useNames, type Names } from '../../names/use-names';
import type { Step } from './budget-tree';
import { t } from '../../text/translate';

export const INTERVAL_WORDS: Readonly<Record<BudgetInterval, string>> = {
  daily: t('Daily'),
  weekly: t('Weekly'),
  monthly: t('Monthly'),
  lifetime: t('Lifetime'),
};

export const MEMBER_WORDS: Readonly<Record<ScopeMember, string>> = {
  workspace_id: t('Workspace'),
  user_id: t('Member'),
  api_key_hash: t('Key'),
  end_user: t('End user'),
  tag: t('Tag'),
  session: t('Session'),
  model: t('Model'),
  provider: t('Provider'),
  credential_id: t('Credential'),
};

export const eachWords = (member: ScopeMember): string =>
  t('Each {member}', { member: MEMBER_WORDS[member].toLowerCase() });

/** Members whose values have names. The values of other members are free text. */
export const NAMED_MEMBERS: Readonly<Partial<Record<ScopeMember, keyof Names>>> = {
  workspace_id: 'workspace',
  user_id: 'person',
  api_key_hash: 'key',
};

export interface BudgetNames {
  /** The name of a value of a scope. */
  readonly ofValue: (member: ScopeMember, value: string) => string;
  /** A text such as "Workspace Research". */
  readonly ofStep: (step: Step) => string;
}

/** The names of workspaces, members and keys, as far as the session may read them. */
export function useBudgetNames(): BudgetNames {
  const names = useNames();
  const ofValue = (member: ScopeMember, value: string): string => {
    const kind = NAMED_MEMBERS[member];
    return kind ? names[kind](value) : value;
  };
  const ofStep = ({ member, value }: Step): string => {
    if (member === 'account') return t('Account-wide');
    return value === null ? eachWords(member) : `${MEMBER_WORDS[member]} ${ofValue(member, value)}`;
  };
  return { ofValue, ofStep };
}

/** A text such as "Workspace Research › Key CI". */
export const pathWords = (path: readonly Step[], { ofStep }: BudgetNames): string => path.map(ofStep).join(' › ');

/** The text that a text filter searches. */
export const searchedText = ({ name, interval }: BudgetRecord, path: readonly Step[], names: BudgetNames): string =>
  `${pathWords(path, names)} ${name ?? ''} ${INTERVAL_WORDS[interval]}`.toLowerCase();
