import { TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState, type SubmitEvent, type ReactNode } from 'react';
import { t } from '../../text/translate';

const CALL_ID = /^gen-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Opens the page of a call by its id, which is in the header X-Generation-Id of the response. */
export function FindCall(): ReactNode {
  const navigate = useNavigate();
  const [text, setText] = useState('');
  const [error, setError] = useState<string>();
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const id = text.trim();
    if (CALL_ID.test(id)) void navigate({ to: '/calls/$id', params: { id: id.toLowerCase() } });
    else setError(t('The id of a call begins with gen-, as in the header X-Generation-Id'));
  };
  return (
    <form onSubmit={submit} role="search" aria-label={t('A call by its id')}>
      <TextInput
        aria-label={t('Call id')}
        placeholder={t('Find a call by id (gen-…)')}
        size="xs"
        w={230}
        value={text}
        error={error}
        onChange={(event) => {
          setText(event.currentTarget.value);
          setError(undefined);
        }}
      />
    </form>
  );
}
