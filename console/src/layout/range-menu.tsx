import { Button, Group, Popover, Stack, Text, TextInput } from '@mantine/core';
import { useState, type ReactNode, type SyntheticEvent } from 'react';
import { DEFAULT_RANGE, RANGE_LABELS, RANGE_NAMES } from '../format/ranges';
import { zoneLabel } from '../format/times';
import { useScope, useScopeChange } from '../scope/use-scope';
import { t } from '../text/translate';

const DAY_LENGTH = '2026-03-01'.length;

/** The time range of the page: a named range, or chosen days. */
export function RangeMenu(): ReactNode {
  const { range, from, to } = useScope();
  const change = useScopeChange();
  const [isOpen, setOpen] = useState(false);
  const hasDays = from !== undefined || to !== undefined;
  const label = hasDays
    ? t('{from} to {to}', { from: (from ?? to)!.replace('T', ' '), to: (to ?? from)!.replace('T', ' ') })
    : RANGE_LABELS[range ?? DEFAULT_RANGE];
  const choose = (part: Parameters<typeof change>[0]): void => {
    change({ range: undefined, from: undefined, to: undefined, ...part });
    setOpen(false);
  };
  return (
    <Popover opened={isOpen} onChange={setOpen} trapFocus withinPortal position="bottom-start" shadow="md">
      <Popover.Target>
        <Button
          size="xs"
          variant="default"
          fw={400}
          flex="none"
          onClick={() => setOpen(!isOpen)}
          aria-haspopup="dialog"
          aria-label={t('Time range: {label}', { label })}
        >
          {label}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('Time range')}>
        <Group align="flex-start" gap="lg" wrap="nowrap" className="range-choices">
          <Stack gap={2}>
            {RANGE_NAMES.map((name) => (
              <Button
                key={name}
                size="xs"
                variant={!hasDays && name === (range ?? DEFAULT_RANGE) ? 'filled' : 'subtle'}
                aria-pressed={!hasDays && name === (range ?? DEFAULT_RANGE)}
                fw={400}
                justify="flex-start"
                onClick={() => choose({ range: name })}
              >
                {RANGE_LABELS[name]}
              </Button>
            ))}
          </Stack>
          <OwnDays from={from} to={to} onChange={choose} />
        </Group>
      </Popover.Dropdown>
    </Popover>
  );
}

interface OwnDaysProps {
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly onChange: (days: { from: string; to: string }) => void;
}

function OwnDays({ from = '', to = '', onChange }: OwnDaysProps): ReactNode {
  const [days, setDays] = useState({ from: from.slice(0, DAY_LENGTH), to: to.slice(0, DAY_LENGTH) });
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    const first = days.from || days.to;
    if (first) onChange({ from: first, to: days.to || first });
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="xs">
        <TextInput
          size="xs"
          type="date"
          label={t('First day')}
          value={days.from}
          onChange={(event) => setDays({ ...days, from: event.currentTarget.value })}
        />
        <TextInput
          size="xs"
          type="date"
          label={t('Last day')}
          value={days.to}
          onChange={(event) => setDays({ ...days, to: event.currentTarget.value })}
        />
        <Text size="xs" c="dimmed">
          {t('Days begin at 00:00 {zone}.', { zone: zoneLabel() })}
        </Text>
        <Button type="submit" size="xs" disabled={!days.from && !days.to}>
          {t('Show these days')}
        </Button>
      </Stack>
    </form>
  );
}
