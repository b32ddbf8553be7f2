import { Button, Collapse, Select, Stack, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ReactNode } from 'react';
import type { BudgetScope, ScopeMember } from '../../api/budgets';
import { useKeys } from '../../api/keys';
import { useMembers } from '../../api/members';
import { useWorkspaces } from '../../api/workspaces';
import { SCOPE_MEMBERS } from './budget-tree';
import { eachWords, MEMBER_WORDS } from './budget-words';

/** Whose calls a budget counts, as a form has it. */
export interface ScopeValues {
  /** The member that the form begins with. */
  readonly member: ScopeMember;
  /** Whether each value of the member has an allowance of its own. */
  readonly isEach: boolean;
  readonly scope: BudgetScope;
}

/** What the API takes as `each`. */
export type EachMember = Exclude<ScopeMember, 'provider' | 'credential_id'>;

const isEachMember = (member: ScopeMember): member is EachMember => member !== 'provider' && member !== 'credential_id';

/** Budgets of credentials, which only the operator may make, are made by the API. */
const CHOSEN_MEMBERS = SCOPE_MEMBERS.filter((member) => member !== 'credential_id');

const EACH = 'each:';
const CHOICES = [
  { group: 'One', items: CHOSEN_MEMBERS.map((member) => ({ value: member as string, label: MEMBER_WORDS[member] })) },
  {
    group: 'Each has an allowance',
    items: CHOSEN_MEMBERS.filter(isEachMember).map((member) => ({ value: EACH + member, label: eachWords(member) })),
  },
];

/** The request's part of it. */
export function scopeOf({ member, isEach, scope }: ScopeValues): { scope: BudgetScope; each?: EachMember } {
  const named = Object.entries(scope).filter(([name, value]) => value && !(isEach && name === member));
  return { scope: Object.fromEntries(named), ...(isEach && isEachMember(member) ? { each: member } : {}) };
}

interface ScopeFieldsProps {
  readonly values: ScopeValues;
  readonly onChange: (part: Partial<ScopeValues>) => void;
}

/** Whose calls it is, or who has an allowance each. */
export function ScopeFields({ values, onChange }: ScopeFieldsProps): ReactNode {
  const { member, isEach, scope } = values;
  // Each member of the workspace that was chosen before: what is chosen stays as a narrower scope.
  const choose = (choice: string): void =>
    choice.startsWith(EACH)
      ? onChange({ isEach: true, member: choice.slice(EACH.length) as ScopeMember })
      : onChange({ isEach: false, member: choice as ScopeMember, scope: {} });
  return (
    <>
      <Select
        label="Limits the calls of"
        data={CHOICES}
        value={isEach ? EACH + member : member}
        onChange={(choice) => choice && choose(choice)}
        allowDeselect={false}
      />
      {!isEach && (
        <ScopeField
          key={member}
          member={member}
          value={scope[member] ?? ''}
          onChange={(value) => onChange({ scope: { ...scope, [member]: value } })}
          isFirst
        />
      )}
    </>
  );
}

/** The other members of the scope, which few budgets have. */
export function NarrowingFields({ values: { member, scope }, onChange }: ScopeFieldsProps): ReactNode {
  const others = CHOSEN_MEMBERS.filter((name) => name !== member);
  const [isWanted, { toggle }] = useDisclosure();
  const isOpen = isWanted || others.some((name) => scope[name]);
  return (
    <>
      <Button variant="subtle" size="compact-sm" w="fit-content" onClick={toggle} aria-expanded={isOpen}>
        Only some of these calls
      </Button>
      <Collapse expanded={isOpen}>
        <Stack gap="xs">
          {others.map((name) => (
            <ScopeField
              key={name}
              member={name}
              value={scope[name] ?? ''}
              onChange={(value) => onChange({ scope: { ...scope, [name]: value } })}
            />
          ))}
        </Stack>
      </Collapse>
    </>
  );
}

interface ScopeFieldProps {
  readonly member: ScopeMember;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** The first field has the focus, and a value. */
  readonly isFirst?: boolean;
}

const EXAMPLES: Readonly<Partial<Record<ScopeMember, string>>> = {
  end_user: 'As calls send it in “user”',
  tag: 'As calls send it in “metadata.tags”',
  session: 'As calls send it in “session_id”',
  model: 'Such as openai/gpt-5',
  provider: 'Such as openai',
};

function ScopeField({ member, value, onChange, isFirst = false }: ScopeFieldProps): ReactNode {
  const choices = useChoices(member);
  const common = {
    label: MEMBER_WORDS[member],
    required: isFirst,
    'data-autofocus': (isFirst && value === '') || undefined,
    description: EXAMPLES[member],
  };
  if (choices === undefined)
    return <TextInput {...common} value={value} onChange={(event) => onChange(event.currentTarget.value)} />;
  return (
    <Select
      {...common}
      data={choices}
      value={value || null}
      onChange={(chosen) => onChange(chosen ?? '')}
      searchable
      clearable={!isFirst}
      clearButtonProps={{ 'aria-label': `Clear: ${MEMBER_WORDS[member]}` }}
    />
  );
}

/** The values that a member can have; undefined = any text. */
function useChoices(member: ScopeMember): { value: string; label: string }[] | undefined {
  const workspaces = useWorkspaces();
  const members = useMembers();
  const keys = useKeys();
  if (member === 'workspace_id') return (workspaces.data ?? []).map(({ id, name }) => ({ value: id, label: name }));
  if (member === 'user_id') return (members.data ?? []).map(({ user_id, name }) => ({ value: user_id, label: name }));
  if (member !== 'api_key_hash') return undefined;
  return (keys.data ?? []).map(({ hash, name, label }) => ({ value: hash, label: `${name} (${label})` }));
}
