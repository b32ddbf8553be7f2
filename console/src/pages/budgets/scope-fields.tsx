import { Button, Collapse, Select, Stack, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ReactNode } from 'react';
import type { BudgetScope, ScopeMember } from '../../api/budgets';
import { NamePicker } from '../../names/name-picker';
import { SCOPE_MEMBERS } from './budget-tree';
import { eachWords, MEMBER_WORDS, NAMED_MEMBERS } from './budget-words';
import { t } from '../../text/translate';

/** The scope of a budget, in the form's values. */
export interface ScopeValues {
  /** The member that is chosen in the first field. */
  readonly member: ScopeMember;
  /** Whether each value of the member has its own limit. */
  readonly isEach: boolean;
  readonly scope: BudgetScope;
}

/** The values that the API accepts for `each`. */
export type EachMember = Exclude<ScopeMember, 'provider' | 'credential_id'>;

const isEachMember = (member: ScopeMember): member is EachMember => member !== 'provider' && member !== 'credential_id';

/** Credential budgets can be created only through the API, and only by the operator. */
const CHOSEN_MEMBERS = SCOPE_MEMBERS.filter((member) => member !== 'credential_id');

const EACH = 'each:';
const CHOICES = [
  {
    group: t('One'),
    items: CHOSEN_MEMBERS.map((member) => ({ value: member as string, label: MEMBER_WORDS[member] })),
  },
  {
    group: t('Each has an allowance'),
    items: CHOSEN_MEMBERS.filter(isEachMember).map((member) => ({ value: EACH + member, label: eachWords(member) })),
  },
];

/** The scope members of the request. */
export function scopeOf({ member, isEach, scope }: ScopeValues): { scope: BudgetScope; each?: EachMember } {
  const named = Object.entries(scope).filter(([name, value]) => value && !(isEach && name === member));
  return { scope: Object.fromEntries(named), ...(isEach && isEachMember(member) ? { each: member } : {}) };
}

interface ScopeFieldsProps {
  readonly values: ScopeValues;
  readonly onChange: (part: Partial<ScopeValues>) => void;
}

/** Selects whose calls count, or who gets separate limits. */
export function ScopeFields({ values, onChange }: ScopeFieldsProps): ReactNode {
  const { member, isEach, scope } = values;
  // If "each" is chosen, the scope that was chosen before, such as a workspace, is kept and narrows the budget.
  const choose = (choice: string): void =>
    choice.startsWith(EACH)
      ? onChange({ isEach: true, member: choice.slice(EACH.length) as ScopeMember })
      : onChange({ isEach: false, member: choice as ScopeMember, scope: {} });
  return (
    <>
      <Select
        label={t('Limits the calls of')}
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

/** The other members of the scope, which are rarely used. */
export function NarrowingFields({ values: { member, scope }, onChange }: ScopeFieldsProps): ReactNode {
  const others = CHOSEN_MEMBERS.filter((name) => name !== member);
  const [isWanted, { toggle }] = useDisclosure();
  const isOpen = isWanted || others.some((name) => scope[name]);
  return (
    <>
      <Button variant="subtle" size="compact-sm" w="fit-content" onClick={toggle} aria-expanded={isOpen}>
        {t('Only some of these calls')}
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
  /** The first field is required, and has the focus while it is empty. */
  readonly isFirst?: boolean;
}

const EXAMPLES: Readonly<Partial<Record<ScopeMember, string>>> = {
  end_user: t('As calls send it in “user”'),
  tag: t('As calls send it in “metadata.tags”'),
  session: t('As calls send it in “session_id”'),
  model: t('Such as openai/gpt-5'),
  provider: t('Such as openai'),
};

function ScopeField({ member, value, onChange, isFirst = false }: ScopeFieldProps): ReactNode {
  const kind = NAMED_MEMBERS[member];
  const label = MEMBER_WORDS[member];
  const isFocused = isFirst && value === '';
  if (kind === undefined)
    return (
      <TextInput
        label={label}
        description={EXAMPLES[member]}
        required={isFirst}
        data-autofocus={isFocused || undefined}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    );
  return (
    <NamePicker
      kind={kind}
      label={label}
      value={value || undefined}
      onChange={(chosen) => onChange(chosen ?? '')}
      isRequired={isFirst}
      isFocused={isFocused}
    />
  );
}
