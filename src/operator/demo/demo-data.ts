import { readFileSync } from 'node:fs';
import type { BudgetInterval } from '../../billing/budget-window.js';
import type { Role } from '../../kernel/access/permissions.js';
import type { Modality } from '../../usage/generation-record.js';

/** A log-normal distribution: its median, and the standard deviation of the logarithm. */
export type Spread = readonly [median: number, deviation: number];

export interface DemoModel {
  readonly id: string;
  readonly share: number;
  /** The slugs of the provider that serves the calls, and of the provider to fall back to. */
  readonly providers: readonly [string, string?];
}

/** The properties of one kind of call. */
export interface DemoProfile {
  readonly modality: Modality;
  readonly prompt?: Spread;
  readonly completion?: Spread;
  readonly characters?: Spread;
  readonly seconds?: Spread;
  /** The share of the prompt that is read from a cache, from the second call of a session on. */
  readonly cached?: number;
  /** The share of calls with reasoning. */
  readonly reasoning?: number;
  /** The minimum and maximum number of calls in a session. */
  readonly turns: readonly [number, number];
  /** The minimum and maximum number of seconds between the calls of a session. */
  readonly pauseS: readonly [number, number];
  readonly firstByteMs: Spread;
  readonly tokensPerSecond?: number;
  /** The share of calls that are streamed. */
  readonly streamed?: number;
  /** The share of calls that end with a tool call. */
  readonly tools?: number;
  readonly models: readonly DemoModel[];
}

/** How the calls of a key are distributed over a week and a day. */
export type Rhythm = 'office' | 'customers' | 'night';

export interface DemoKey {
  readonly name: string;
  readonly workspace: string;
  readonly owner: string;
  readonly share: number;
  readonly rhythm: Rhythm;
  /** The weight of each profile, by its name. */
  readonly mix: Readonly<Record<string, number>>;
  readonly app: string;
  readonly origin?: string;
  /** The user agent. */
  readonly client: string;
  readonly endUsers?: boolean;
  readonly sessions?: boolean;
  readonly tag?: string;
  readonly spikes?: boolean;
  readonly noFallback?: boolean;
  readonly ownCredential?: boolean;
  /** Set for an added key: the name of the key that it copies. */
  readonly like?: string;
  /** The share of the key's limit that its calls spend; absent = the key has no limit. */
  readonly usedShare?: number;
}

export interface DemoPerson {
  readonly name: string;
  readonly role: Role;
  readonly workspaces: readonly string[];
}

export interface DemoBudget {
  readonly name: string;
  readonly workspace?: string;
  readonly each?: 'user';
  readonly interval: BudgetInterval;
  /** The share of the limit that is spent in the window with the largest spend. */
  readonly usedShare: number;
  readonly isSoft?: boolean;
}

export interface DemoCompany {
  readonly workspaces: readonly { readonly slug: string; readonly name: string; readonly description: string }[];
  readonly people: readonly DemoPerson[];
  readonly keys: readonly DemoKey[];
  readonly budgets: readonly DemoBudget[];
  readonly endUsers: number;
}

export interface DemoTraffic {
  /** An hour in which one provider fails. `share`: the share of its calls that fail. */
  readonly outage: {
    readonly provider: string;
    readonly daysAgo: number;
    readonly hour: number;
    readonly share: number;
  };
  /** The hours around `hour` of one day, in which the keys with `spikes` make `factor` times as many calls. */
  readonly spike: { readonly daysAgo: number; readonly hour: number; readonly factor: number };
  readonly profiles: Readonly<Record<string, DemoProfile>>;
}

const read = (name: string): unknown => JSON.parse(readFileSync(new URL(name, import.meta.url), 'utf8'));

/** Read from a JSON file, because the names of people, keys, models and vendors are data. */
export const demoCompany = (): DemoCompany => read('demo-company.json') as DemoCompany;
export const demoTraffic = (): DemoTraffic => read('demo-traffic.json') as DemoTraffic;

/** The tracking id of an end user. */
export const endUserId = (number: number): string => `customer-${String(number).padStart(4, '0')}`;

/** The number of calls of all added keys, as a share of the calls of all other keys. */
const ADDED_CALLS = 0.4;

/**
 * Adds people and keys until the company has at least `people` people and `keys` keys. Added people and keys are
 * variants of existing ones. A few of the added keys have most of the calls of all added keys.
 */
export function grownTo(company: DemoCompany, people: number, keys: number): DemoCompany {
  const names = company.people.map(({ name }) => name.split(' ') as [string, string]);
  const addedPeople = numbers(company.people.length, people).map((number): DemoPerson => {
    const [first] = names[number % names.length]!;
    const [, last] = names[Math.floor(number / names.length) % names.length]!;
    const workspace = company.workspaces[number % company.workspaces.length]!;
    return { name: `${first} ${last} ${number}`, role: 'developer', workspaces: [workspace.slug] };
  });
  const all = [...company.people, ...addedPeople];
  const added = numbers(company.keys.length, keys);
  const weights = added.reduce((sum, _, place) => sum + 1 / (place + 1), 0);
  const shares = company.keys.reduce((sum, { share }) => sum + share, 0);
  const addedKeys = added.map((number, place): DemoKey => {
    const like = company.keys[number % company.keys.length]!;
    const owner = all[number % all.length]!.name;
    const share = (shares * ADDED_CALLS) / (weights * (place + 1));
    const special = { usedShare: undefined, ownCredential: undefined, spikes: undefined };
    return { ...like, ...special, like: like.name, name: `${like.name} ${number}`, owner, share };
  });
  return { ...company, people: all, keys: [...company.keys, ...addedKeys] };
}

/** The numbers from `first` + 1 to `last`. */
const numbers = (first: number, last: number): number[] =>
  Array.from({ length: Math.max(0, last - first) }, (_, at) => first + 1 + at);
