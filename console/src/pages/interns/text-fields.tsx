import { Textarea, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { t } from '../../text/translate';

interface Texts {
  readonly description: string;
  readonly instructions: string;
}

interface TextFieldsProps {
  readonly values: Texts;
  readonly onChange: (part: Partial<Texts>) => void;
}

/** The texts of an intern, when it is created and later. */
export function TextFields({ values, onChange }: TextFieldsProps): ReactNode {
  return (
    <>
      <TextInput
        label={t('Description')}
        value={values.description}
        onChange={(event) => onChange({ description: event.currentTarget.value })}
      />
      <Textarea
        label={t('Instructions')}
        autosize
        minRows={3}
        value={values.instructions}
        onChange={(event) => onChange({ instructions: event.currentTarget.value })}
      />
    </>
  );
}
