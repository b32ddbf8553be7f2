import { readFileSync } from 'node:fs';
import type { BudgetInterval } from '../../billing/budget-scope.js';
import type { Role } from '../../kernel/access/permissions.js';
import type { Modality } from '../../usage/generation-record.js';

/** The median of a quantity, and how far values are from it: the deviation of their logarithm. */
export type Spread = readonly [median: number, deviation: number];

export interface DemoModel {
  readonly id: string;
  readonly share: number;
  /** The slugs of the provider that serves the calls, and of the one that they fall back to. */
  readonly providers: readonly [string, string?];
}

/** How calls of one kind look. */
export interface DemoProfile {
  readonly modality: Modality;
  readonly prompt?: Spread;
  readonly completion?: Spread;
  readonly characters?: Spread;
  readonly seconds?: Spread;
  /** The share of the prompt that a cache has, from the second call of a session on. */
  readonly cached?: number;
  /** The share of calls that reason. */
  readonly reasoning?: number;
  /** The calls of a session, and the seconds between them: the least and the most. */
  readonly turns: readonly [number, number];
  readonly pauseS: readonly [number, number];
  readonly firstByteMs: Spread;
  readonly tokensPerSecond?: number;
  /** The shares of calls that are streamed, and that end with a call of a tool. */
  readonly streamed?: number;
  readonly tools?: number;
  readonly models: readonly DemoModel[];
}

/** How the calls of a key are spread over a week and a day. */
export type Rhythm = 'office' | 'customers' | 'night';

export interface DemoKey {
  readonly name: string;
  readonly workspace: string;
  readonly owner: string;
  readonly share: number;
  readonly rhythm: Rhythm;
  /** Weights of profiles. */
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
  /** The share of its limit that its calls spend; absent = it has no limit. */
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
  /** The share of the limit that is spent in its largest window. */
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
  /** An hour in which one provider fails; `share`: of its calls. */
  readonly outage: {
    readonly provider: string;
    readonly daysAgo: number;
    readonly hour: number;
    readonly share: number;
  };
  /** A day with more calls of some keys than on others. */
  readonly spike: { readonly daysAgo: number; readonly hour: number; readonly factor: number };
  readonly profiles: Readonly<Record<string, DemoProfile>>;
}

const read = (name: string): unknown => JSON.parse(readFileSync(new URL(name, import.meta.url), 'utf8'));

/** Names of models and vendors are data, as names of people and keys are. */
export const demoCompany = (): DemoCompany => read('demo-company.json') as DemoCompany;
export const demoTraffic = (): DemoTraffic => read('demo-traffic.json') as DemoTraffic;

/** The tracking id of an end user. */
export const endUserId = (number: number): string => `customer-${String(number).padStart(4, '0')}`;
