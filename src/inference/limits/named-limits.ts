import { hash } from 'node:crypto';
import type { CallerLimits, CallLimits, CallLimitSettings } from '../../kernel/call-limit-settings.js';
import type { CallLimit } from '../../rate-limits/call-limit.js';

/** A limit, with texts that describe it in messages. */
export interface NamedLimit extends CallLimit {
  /** A text such as `This key`. */
  readonly who: string;
  /** A text such as ` of author/model`; empty if the limit applies to all models. */
  readonly of: string;
}

/** The properties that decide which limits count a call. */
interface LimitedCall {
  /** The id of the model. */
  readonly model: string;
  readonly user?: string;
  readonly session?: string;
  /** The number of prompt tokens, estimated before the call. */
  readonly promptTokens: number;
}

/** The limits of all calls, of one model or of one end user. `key`: the name of their counters, not an API key. */
interface Scope {
  readonly key: string;
  readonly limits: CallLimits;
  readonly who: string;
  readonly of: string;
}

/** An API key or a workspace, with its settings. `key`: the beginning of the names of its counters. */
interface Owner {
  readonly key: string;
  readonly settings: CallLimitSettings | undefined;
  readonly who: string;
  readonly endUser: string;
}

/**
 * The limits that count a call, in the order in which they refuse it: requests, concurrent calls, tokens, session.
 * Among limits of one kind, the limits of the key come before the limits of the workspace. The limit of all calls of a
 * key or workspace comes before its limits of one model and of one end user.
 */
export function namedLimits(
  { key, keyHash, workspace }: CallerLimits,
  workspaceId: string,
  call: LimitedCall,
): NamedLimit[] {
  const owners: readonly Owner[] = [
    { key: `key:${keyHash}`, settings: key, who: 'This key', endUser: 'This end user' },
    {
      key: `workspace:${workspaceId}`,
      settings: workspace,
      who: 'The keys of this workspace',
      endUser: 'This end user of the workspace',
    },
  ];
  const scopes = owners.flatMap((owner) => scopesOf(owner, call));
  const { promptTokens } = call;
  return [
    ...ofKind('requests', scopes, ({ requestsPerMinute }) => requestsPerMinute, 1),
    ...ofKind('concurrent', scopes, ({ maxConcurrent }) => maxConcurrent, 1),
    ...ofKind('tokens', scopes, ({ tokensPerMinute }) => tokensPerMinute, promptTokens),
    ...sessionLimit(key, keyHash, call),
  ];
}

function scopesOf({ key, settings, who, endUser }: Owner, { model, user }: LimitedCall): Scope[] {
  if (!settings) return [];
  const scopes: Scope[] = [{ key, limits: settings, who, of: '' }];
  const { models, eachEndUser } = settings;
  // Callers choose the ids of models, so an inherited member of the prototype must not match.
  if (models && Object.hasOwn(models, model))
    scopes.push({ key: `${key}:model:${model}`, limits: models[model]!, who, of: ` of ${model}` });
  if (eachEndUser && user !== undefined)
    scopes.push({ key: `${key}:user:${digest(user)}`, limits: eachEndUser, who: endUser, of: '' });
  return scopes;
}

function* ofKind(
  kind: CallLimit['kind'],
  scopes: readonly Scope[],
  maxOf: (limits: CallLimits) => number | undefined,
  points: number,
): Generator<NamedLimit> {
  for (const { key, limits, who, of } of scopes) {
    const max = maxOf(limits);
    if (max !== undefined) yield { kind, key, max, points, who, of };
  }
}

function sessionLimit(
  settings: CallLimitSettings | undefined,
  keyHash: string,
  { session }: LimitedCall,
): NamedLimit[] {
  const max = settings?.sessionMaxCalls;
  if (max === undefined || session === undefined) return [];
  return [{ kind: 'session', key: `key:${keyHash}:session:${digest(session)}`, max, who: 'This session', of: '' }];
}

/** A hash of a text that a caller chose, because such a text may have any length or contain a person's name. */
const digest = (text: string): string => hash('sha256', text, 'base64url');
