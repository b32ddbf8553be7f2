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

/** The fields for the texts of an intern, in the forms that create and change it. */
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
