import { Badge } from '@mantine/core';
import type { ReactNode } from 'react';
import type { ChannelRecord } from '../../api/records';
import { plural, share } from '../../format/amounts';
import { clock } from '../../format/times';

type State = ChannelRecord['state'];

/** The name that a person gave it, or what stands for one. */
export const nameOf = ({ name, label, source }: ChannelRecord): string =>
  name ?? (source === 'environment' ? 'Environment' : label);

const COLOURS: Readonly<Record<State, string>> = {
  ready: 'green',
  resting: 'orange',
  refused: 'red',
  exhausted: 'red',
  disabled: 'gray',
};

const LABELS: Readonly<Record<State, string>> = {
  ready: 'Ready',
  resting: 'Resting',
  refused: 'Refused',
  exhausted: 'Exhausted',
  disabled: 'Disabled',
};

/** What a state means for calls; nothing for those that are ready. */
export const MEANINGS: Readonly<Record<State, string>> = {
  ready: '',
  resting: 'The vendor asked for a pause, for one model or for all. Until it ends, calls use the others first.',
  refused: 'The vendor refuses the key. It is tried again once an hour, and when it is changed or tested.',
  exhausted: 'The vendor says that its account has no credit left. It is tried again after half an hour, or by a test.',
  disabled: 'Calls do not use it.',
};

export function ChannelState({ channel }: { readonly channel: ChannelRecord }): ReactNode {
  const { state, resting_until: until } = channel;
  return (
    <Badge color={COLOURS[state]} variant={state === 'disabled' ? 'default' : 'outline'} tt="none">
      {state === 'resting' && until !== null ? `Resting until ${clock(until)}` : LABELS[state]}
    </Badge>
  );
}

/** Which credential of its provider it is, and its share of the calls where several have one priority. */
export function orderOf({ priority, weight, disabled }: ChannelRecord, all: readonly ChannelRecord[]): string {
  const priorities = [...new Set(all.map((one) => one.priority))].sort((a, b) => a - b);
  const choice = `Choice ${priorities.indexOf(priority) + 1} of ${priorities.length}`;
  const equal = all.filter((one) => one.priority === priority && !one.disabled);
  if (disabled || equal.length < 2) return choice;
  return `${choice}, ${share(weight / equal.reduce((sum, one) => sum + one.weight, 0))} of its calls`;
}

export function capsOf({ rpm, tpm, max_concurrent: calls }: ChannelRecord): string {
  const caps = [
    rpm !== null && `${plural(rpm, 'request')} a minute`,
    tpm !== null && `${plural(tpm, 'token')} a minute`,
    calls !== null && `${plural(calls, 'call')} at once`,
  ].filter((text) => text !== false);
  return caps.length > 0 ? caps.join(', ') : 'None';
}

export function modelsOf({ allowed_models: allowed, denied_models: denied }: ChannelRecord): string {
  const some = allowed === null ? 'Every model' : allowed.join(', ');
  return denied.length > 0 ? `${some}, but not ${denied.join(', ')}` : some;
}
