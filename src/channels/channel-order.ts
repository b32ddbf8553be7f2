import type { ChoiceReason } from '../kernel/call-facts.js';
import type { Channel } from './channel.js';

/**
 * The credentials of an endpoint in the order of use: by priority, and within one priority by a weighted random draw
 * without replacement. `draw` returns a number in [0, 1). `kept`: the version of the credential that last served the
 * session. This credential comes first.
 */
export function inOrderOfDraw(channels: readonly Channel[], draw: () => number, kept?: string): readonly Channel[] {
  if (channels.length < 2) return channels;
  // A weighted draw without replacement: each credential gets an exponential variate with its weight as the rate, and
  // the variates determine the order.
  const turns = channels.map((channel) => ({ channel, at: -Math.log(1 - draw()) / channel.weight }));
  const isKept = ({ version }: Channel): number => Number(version === kept);
  return turns
    .sort((a, b) => isKept(b.channel) - isKept(a.channel) || a.channel.priority - b.channel.priority || a.at - b.at)
    .map(({ channel }) => channel);
}

/** The reason why the credential at `index` has its position in an order from `inOrderOfDraw`. */
export function reasonOfPlace(ordered: readonly Channel[], index: number, kept?: string): ChoiceReason {
  if (index > 0) return 'next';
  const [{ version, priority }, ...others] = ordered as readonly [Channel, ...Channel[]];
  if (others.length === 0) return 'only';
  if (version === kept) return 'session';
  return others.some((other) => other.priority === priority) ? 'weight' : 'priority';
}
