import { Checkbox, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { EVENT_NAMES, isForPeople, type WebhookEvent, type WebhookFormat } from './webhook-words';
import { t } from '../../text/translate';

interface EventsFieldProps {
  readonly format: WebhookFormat;
  readonly value: readonly WebhookEvent[];
  readonly onChange: (events: WebhookEvent[]) => void;
}

/** Selects the events to send. */
export function EventsField({ format, value, onChange }: EventsFieldProps): ReactNode {
  const events = (Object.keys(EVENT_NAMES) as WebhookEvent[]).filter(
    (event) => event !== 'generation.completed' || !isForPeople(format),
  );
  return (
    <Checkbox.Group label={t('Events')} required value={[...value]} onChange={(chosen) => onChange(chosen)}>
      <Stack gap="xs" mt="xs">
        {events.map((event) => (
          <Checkbox key={event} value={event} label={EVENT_NAMES[event]} />
        ))}
      </Stack>
    </Checkbox.Group>
  );
}
