import type { CatalogueEndpoint, CatalogueModel } from '../../catalogue/catalogue-model.js';
import { invalidRequest } from '../../kernel/errors/errors.js';
import { HOUR_MS, hoursOf, timesIn, workingDayBefore } from './demo-days.js';
import {
  endUserId,
  type DemoCompany,
  type DemoKey,
  type DemoModel,
  type DemoProfile,
  type DemoTraffic,
} from './demo-data.js';
import { drawOutcome, type DemoOutcome } from './demo-outcome.js';
import { drawUsage, priceAt, type DemoPrice, type DemoUsage, type TurnOfSession } from './demo-usage.js';
import { SeededRandom } from './seeded-random.js';

/** A demo call, before it is billed and recorded. */
export interface DemoCall {
  readonly at: Date;
  readonly key: DemoKey;
  readonly profile: DemoProfile;
  readonly model: string;
  readonly outcome: DemoOutcome;
  readonly usage: DemoUsage;
  /** The price of the usage. The caller pays it if the call is billed. */
  readonly price: DemoPrice;
  readonly streamed: boolean;
  readonly finishReason: 'stop' | 'length' | 'tool_calls';
  readonly firstByteMs: number;
  readonly durationMs: number;
  readonly isOwn: boolean;
  readonly session?: string;
  readonly endUser?: string;
}

interface ScheduleOptions {
  readonly company: DemoCompany;
  readonly traffic: DemoTraffic;
  readonly calls: number;
  readonly seed: number;
  /** The calls are distributed over the thirty days before this time. */
  readonly until: Date;
  readonly findModel: (id: string) => CatalogueModel | undefined;
}

/** For a key with its own credential: the share of its calls that use the credential. */
const OWN = 0.7;
const LENGTH = 0.015;

/** All calls, sorted by time. The same options give the same calls. */
export function scheduleCalls(options: ScheduleOptions): DemoCall[] {
  const { keys } = options.company;
  const shares = keys.reduce((sum, { share }) => sum + share, 0);
  let [before, made] = [0, 0];
  return keys
    .flatMap((key, index) => {
      before += key.share;
      // Rounds the sum over all keys so far instead of the number of each key. Otherwise many keys with less than half
      // a call each would have no calls.
      const calls = Math.round((options.calls * before) / shares) - made;
      made += calls;
      return callsOfKey(key, calls, new SeededRandom(options.seed * 1_000 + index), options);
    })
    .toSorted((one, other) => one.at.getTime() - other.at.getTime());
}

function callsOfKey(key: DemoKey, count: number, random: SeededRandom, options: ScheduleOptions): DemoCall[] {
  const { traffic, company } = options;
  const spike = { ...traffic.spike, day: workingDayBefore(options.until, traffic.spike.daysAgo) };
  const timeOf = timesIn(random, hoursOf(key.rhythm, options.until, key.spikes ? spike : undefined));
  const names = Object.keys(key.mix);
  const calls: DemoCall[] = [];
  while (calls.length < count) {
    const profile = traffic.profiles[random.weighted(names, (name) => key.mix[name]!)]!;
    const turns = Math.floor(random.between(profile.turns[0], profile.turns[1] + 1));
    const model = random.weighted(profile.models, ({ share }) => share);
    const isConversation = profile.modality === 'chat' && turns > 1;
    const common = {
      session: key.sessions && isConversation ? sessionOf(random) : undefined,
      endUser: key.endUsers ? endUserOf(random, company.endUsers) : undefined,
    };
    let at = timeOf();
    for (let turn = 0; turn < turns && at < options.until.getTime() && calls.length < count; turn++) {
      calls.push({
        ...drawCall(random, { key, profile, model, at: new Date(at), place: { turn, turns } }, options),
        ...common,
      });
      at += Math.round(random.between(...profile.pauseS) * 1_000);
    }
  }
  return calls;
}

interface DrawnCall {
  readonly key: DemoKey;
  readonly profile: DemoProfile;
  readonly model: DemoModel;
  readonly at: Date;
  readonly place: TurnOfSession;
}

function drawCall(
  random: SeededRandom,
  { key, profile, model, at, place }: DrawnCall,
  { traffic, until, findModel }: ScheduleOptions,
): Omit<DemoCall, 'session' | 'endUser'> {
  const usage = drawUsage(random, profile, place);
  const streamed = random.chance(profile.streamed ?? 0);
  const latencyMs = random.spread(profile.firstByteMs);
  const outcome = drawOutcome(random, {
    endpoints: endpointsOf(model, profile, findModel),
    isOutage: isInOutage(at, model, traffic, until) && random.chance(traffic.outage.share),
    mayFallBack: key.noFallback !== true,
    isStreamed: streamed,
    latencyMs,
  });
  const used = usedOf(random, usage, outcome);
  const firstByteMs = outcome.attempts.reduce((sum, attempt) => sum + attempt.latencyMs, 0);
  const generatingMs = profile.tokensPerSecond ? (used.completion / profile.tokensPerSecond) * 1_000 : 0;
  return {
    at,
    key,
    profile,
    model: model.id,
    outcome,
    usage: used,
    price: outcome.end === 'failed' ? { price: 0n } : priceAt(outcome.endpoint, used, at),
    streamed,
    finishReason: random.chance(profile.tools ?? 0) ? 'tool_calls' : random.chance(LENGTH) ? 'length' : 'stop',
    firstByteMs: Math.round(firstByteMs),
    durationMs: Math.round(firstByteMs + generatingMs),
    isOwn: key.ownCredential === true && random.chance(OWN),
  };
}

const NOTHING: DemoUsage = { prompt: 0, completion: 0, cached: 0, reasoning: 0, characters: 0, seconds: 0, images: 0 };

/** The usage of a call: none if the call failed; only a part of the completion if the caller left. */
function usedOf(random: SeededRandom, usage: DemoUsage, { end }: DemoOutcome): DemoUsage {
  if (end === 'failed') return NOTHING;
  if (end === 'served') return usage;
  return { ...usage, reasoning: 0, completion: Math.ceil(usage.completion * random.between(0.1, 0.9)) };
}

function isInOutage(at: Date, { providers }: DemoModel, { outage }: DemoTraffic, until: Date): boolean {
  if (providers[0] !== outage.provider) return false;
  const from = workingDayBefore(until, outage.daysAgo) + outage.hour * HOUR_MS;
  return at.getTime() >= from && at.getTime() < from + HOUR_MS;
}

function endpointsOf(
  { id, providers }: DemoModel,
  { modality }: DemoProfile,
  findModel: ScheduleOptions['findModel'],
): CatalogueEndpoint[] {
  const endpoints = findModel(id)?.endpoints.filter(({ capability }) => capability === modality) ?? [];
  const found = providers.flatMap((slug) => endpoints.find(({ provider }) => provider === slug) ?? []);
  if (found.length === 0) throw invalidRequest(`The catalogue has no endpoint of ${id} for the demo data`);
  return found;
}

const sessionOf = (random: SeededRandom): string =>
  `session-${Math.floor(random.next() * 16 ** 8)
    .toString(16)
    .padStart(8, '0')}`;

/** Draws an end user. A few end users make most of the calls. */
const endUserOf = (random: SeededRandom, users: number): string =>
  endUserId(1 + Math.floor(users * random.next() ** 2));
