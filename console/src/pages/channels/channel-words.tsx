import { Badge } from '@mantine/core';
import type { ReactNode } from 'react';
import type { ChannelRecord } from '../../api/records';
import { share } from '../../format/amounts';
import { clock } from '../../format/times';
import { plural, t } from '../../text/translate';

type State = ChannelRecord['state'];

/** The name of a credential, or a substitute if it has none. */
export const nameOf = ({ name, label, source }: ChannelRecord): string =>
  name ?? (source === 'environment' ? t('Environment') : label);

/** The name and the colour of each state. */
export const CHANNEL_STATES = {
  ready: [t('Ready'), 'green'],
  resting: [t('Resting'), 'orange'],
  refused: [t('Refused'), 'red'],
  exhausted: [t('Exhausted'), 'red'],
  disabled: [t('Disabled'), 'gray'],
} as const satisfies Readonly<Record<State, readonly [label: string, colour: string]>>;

/** The consequence of a state for calls; empty for credentials that are ready. */
export const MEANINGS: Readonly<Record<State, string>> = {
  ready: '',
  resting: t('The vendor asked for a pause, for one model or for all. Until it ends, calls use the others first.'),
  refused: t('The vendor refuses the key. It is tried again once an hour, and when it is changed or tested.'),
  exhausted: t(
    'The vendor says that its account has no credit left. It is tried again after half an hour, or by a test.',
  ),
  disabled: t('Calls do not use it.'),
};

export function ChannelState({ channel }: { readonly channel: ChannelRecord }): ReactNode {
  const { state, resting_until: until } = channel;
  const [label, colour] = CHANNEL_STATES[state];
  return (
    <Badge color={colour} variant={state === 'disabled' ? 'default' : 'outline'}>
      {state === 'resting' && until !== null ? t('Resting until {until}', { until: clock(until) }) : label}
    </Badge>
  );
}

/** The position of the credential at its provider, and its share of the calls if several have the same priority. */
export function orderOf({ priority, weight, disabled }: ChannelRecord, all: readonly ChannelRecord[]): string {
  const priorities = [...new Set(all.map((one) => one.priority))].sort((a, b) => a - b);
  const choice = t('Choice {rank} of {priorities}', {
    rank: priorities.indexOf(priority) + 1,
    priorities: priorities.length,
  });
  const equal = all.filter((one) => one.priority === priority && !one.disabled);
  if (disabled || equal.length < 2) return choice;
  return t('{choice}, {weight} of its calls', {
    choice,
    weight: share(weight / equal.reduce((sum, one) => sum + one.weight, 0)),
  });
}

export function capsOf({ rpm, tpm, max_concurrent: calls }: ChannelRecord): string {
  const caps = [
    rpm !== null && t('{rpm} a minute', { rpm: plural(rpm, '{count} request', '{count} requests') }),
    tpm !== null && t('{tpm} a minute', { tpm: plural(tpm, '{count} token', '{count} tokens') }),
    calls !== null && t('{calls} at once', { calls: plural(calls, '{count} call', '{count} calls') }),
  ].filter((text) => text !== false);
  return caps.length > 0 ? caps.join(', ') : t('None');
}

export function modelsOf({ allowed_models: allowed, denied_models: denied }: ChannelRecord): string {
  const some = allowed === null ? t('Every model') : allowed.join(', ');
  return denied.length > 0 ? t('{some}, but not {denied}', { some, denied: denied.join(', ') }) : some;
}
