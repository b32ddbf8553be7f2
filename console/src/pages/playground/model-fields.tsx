import { Button, Group, Select, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import type { ModelRecord } from '../../api/records';
import { MAX_MODELS } from './playground-search';
import { t } from '../../text/translate';

const MAX_CHOICES = 100;

interface VoiceFieldProps {
  readonly voices: readonly string[];
  readonly voice: string;
  readonly onChange: (voice: string) => void;
}

export function VoiceField({ voices, voice, onChange }: VoiceFieldProps): ReactNode {
  if (voices.length === 0)
    return <TextInput label={t('Voice')} value={voice} onChange={(event) => onChange(event.currentTarget.value)} />;
  return (
    <Select
      label={t('Voice')}
      data={voices}
      value={voice}
      onChange={(value) => value && onChange(value)}
      allowDeselect={false}
      maw={240}
    />
  );
}

interface ModelChoiceProps {
  readonly models: readonly ModelRecord[];
  readonly chosen: readonly string[];
  readonly onChange: (ids: string[]) => void;
  readonly onRemove: (at: number) => void;
}

export function ModelChoice({ models, chosen, onChange, onRemove }: ModelChoiceProps): ReactNode {
  const ids = [...new Set([...chosen, ...models.map(({ id }) => id)])];
  const next = ids.find((id) => !chosen.includes(id));
  return (
    <Group align="flex-end" gap="xs">
      {chosen.map((model, at) => (
        <Group key={at} gap={4} align="flex-end" wrap="nowrap">
          <Select
            label={chosen.length > 1 ? t('Model {at}', { at: at + 1 }) : t('Model')}
            data={ids}
            limit={MAX_CHOICES}
            value={model}
            onChange={(id) => id && onChange(chosen.with(at, id))}
            searchable
            allowDeselect={false}
          />
          {chosen.length > 1 && (
            <Button variant="default" aria-label={t('Remove {model}', { model })} onClick={() => onRemove(at)}>
              ×
            </Button>
          )}
        </Group>
      ))}
      {chosen.length < MAX_MODELS && next && (
        <Button variant="default" onClick={() => onChange([...chosen, next])}>
          {t('Compare')}
        </Button>
      )}
    </Group>
  );
}
