import type { ChoiceReason } from '../kernel/call-facts.js';
import type { Channel } from './channel.js';

/** A number in [0, 1). */
export type Draw = () => number;

/**
 * The credentials of an endpoint in the order of use: by priority, and within one priority by a draw without
 * replacement, weighted. `kept`: the version of the one that served the session last, which comes first.
 */
export function inOrderOfDraw(channels: readonly Channel[], draw: Draw, kept?: string): readonly Channel[] {
  if (channels.length < 2) return channels;
  // A draw without replacement: an exponential variate, with the weight as its rate, says when its turn comes.
  const turns = channels.map((channel) => ({ channel, at: -Math.log(1 - draw()) / channel.weight }));
  const isKept = ({ version }: Channel): number => Number(version === kept);
  return turns
    .sort((a, b) => isKept(b.channel) - isKept(a.channel) || a.channel.priority - b.channel.priority || a.at - b.at)
    .map(({ channel }) => channel);
}

/** Why the credential at `index` of such an order comes there. */
export function reasonOfPlace(ordered: readonly Channel[], index: number, kept?: string): ChoiceReason {
  if (index > 0) return 'next';
  const [{ version, priority }, ...others] = ordered as readonly [Channel, ...Channel[]];
  if (others.length === 0) return 'only';
  if (version === kept) return 'session';
  return others.some((other) => other.priority === priority) ? 'weight' : 'priority';
}
