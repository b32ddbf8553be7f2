import { Autocomplete, Button, Group, Select, Stack, TextInput } from '@mantine/core';
import { useState, type SubmitEvent, type ReactNode } from 'react';
import { OPEN_LIST } from '../names/open-list';
import { NamePicker } from '../names/name-picker';
import type { Names } from '../names/use-names';
import type { FilterEditorProps } from './filter-bar';
import { t } from '../text/translate';

interface FormProps extends FilterEditorProps {
  readonly children: (text: string, onText: (text: string) => void) => ReactNode;
}

/** A text takes effect when Enter is pressed, not with each letter. */
function TextForm({ value = '', onChange, children }: FormProps): ReactNode {
  const [text, setText] = useState(value);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    onChange(text.trim() || undefined);
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="xs">
        {children(text, setText)}
        <Group justify="flex-end">
          <Button type="submit" size="xs">
            {t('Apply')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** An editor for an exact text. */
export const textEditor =
  (placeholder: string) =>
  (props: FilterEditorProps): ReactNode => (
    <TextForm {...props}>
      {(text, onText) => (
        <TextInput
          label={props.label}
          placeholder={placeholder}
          value={text}
          onChange={(event) => onText(event.currentTarget.value)}
          data-autofocus
        />
      )}
    </TextForm>
  );

/** A text with suggestions. A chosen suggestion takes effect at once. */
export function SuggestedText(props: FilterEditorProps & { readonly suggestions: readonly string[] }): ReactNode {
  return (
    <TextForm {...props}>
      {(text, onText) => (
        <Autocomplete
          label={props.label}
          data={[...new Set(props.suggestions)]}
          value={text}
          onChange={onText}
          onOptionSubmit={props.onChange}
          limit={50}
          data-autofocus
          {...OPEN_LIST}
        />
      )}
    </TextForm>
  );
}

export type Choices = readonly { readonly value: string; readonly label: string }[];

/** An editor that selects one of a few values. */
export const choiceEditor =
  (choices: Choices) =>
  ({ label, value, onChange }: FilterEditorProps): ReactNode => (
    <Select
      label={label}
      data={[...choices]}
      value={value ?? null}
      onChange={(chosen) => onChange(chosen ?? undefined)}
      searchable={choices.length > 10}
      data-autofocus
      {...OPEN_LIST}
    />
  );

/** An editor that selects a key, a member, a workspace or an intern. */
export const nameEditor =
  (kind: keyof Names) =>
  (props: FilterEditorProps): ReactNode => <NamePicker {...props} kind={kind} isFocused />;
