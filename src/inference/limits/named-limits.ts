import { hash } from 'node:crypto';
import type { CallerLimits, CallLimits, CallLimitSettings } from '../../kernel/call-limit-settings.js';
import type { CallLimit } from '../../rate-limits/call-limit.js';

/** A limit, and in words whose it is. */
export interface NamedLimit extends CallLimit {
  /** Such as `This key`. */
  readonly who: string;
  /** Such as ` of author/model`; empty = of every model. */
  readonly of: string;
}

/** What decides which limits a call counts in. */
export interface LimitedCall {
  /** The id of its model. */
  readonly model: string;
  readonly user?: string;
  readonly session?: string;
  /** The tokens of its prompt by measure. */
  readonly promptTokens: number;
}

/** Limits of one owner of a count. */
interface Scope {
  readonly key: string;
  readonly limits: CallLimits;
  readonly who: string;
  readonly of: string;
}

/** Whose settings. */
interface Owner {
  readonly key: string;
  readonly settings: CallLimitSettings | undefined;
  readonly who: string;
  readonly endUser: string;
}

/**
 * The limits that a call counts in, in the order in which they refuse it: requests, calls at once, tokens, session;
 * among limits of one kind the key before the workspace, and each before its models and its end users.
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
  // The ids of models are the caller's choice: no member of a prototype is one.
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

/** Callers choose these texts, of any length; some name a person. */
const digest = (text: string): string => hash('sha256', text, 'base64url');
