import { invalidRequest } from '../kernel/errors/errors.js';
import type { ClientFormat, OwnMembers, RequestTerms, TextRequest } from './client-format.js';
import { isSet, membersOf, type Members } from './members.js';
import type { SentBody } from './vendor-text.js';

const NO_MODELS: readonly string[] = [];

/** Throws invalid_request if the request has no model. */
export function textRequest(
  format: ClientFormat,
  { model, models, provider, user, stream }: OwnMembers,
  { bytes, members, rewritten, version, betas }: SentBody,
  terms: RequestTerms,
): TextRequest {
  const named = model ?? models?.[0];
  if (named === undefined) throw invalidRequest('model is required');
  return {
    ...terms,
    format,
    model: named,
    models: models ?? NO_MODELS,
    provider: provider ?? undefined,
    isStream: stream === true,
    user: terms.user === undefined ? user : terms.user,
    bytes,
    members,
    rewritten,
    version,
    betas,
  };
}

/**
 * The request with changed members. A member that is undefined in `changed` is removed. Returns the same object if
 * `changed` is undefined.
 */
export const withMembers = <Request extends SentBody>(request: Request, changed: Members | undefined): Request =>
  changed
    ? {
        ...request,
        members: { ...request.members, ...changed },
        rewritten: [...(request.rewritten ?? []), ...Object.keys(changed)],
      }
    : request;

/** Sampling parameters that have the same names in all formats except `/messages`. */
export const SAMPLING_PARAMETERS: readonly string[] = [
  'temperature',
  'top_p',
  'top_k',
  'min_p',
  'frequency_penalty',
  'presence_penalty',
  'repetition_penalty',
  'seed',
  'stop',
  'logit_bias',
];

/** The modalities of the parts of a request. `byType`: the modality of each type of part. */
export function modalitiesIn(parts: readonly unknown[], byType: ReadonlyMap<unknown, string>): string[] {
  const found = parts.map((part) => byType.get(membersOf(part).type));
  return [...new Set(found.filter((modality) => modality !== undefined))];
}

/** Returns the given parameters that a request sets; null counts as unset. */
export const parametersIn = (members: Members, parameters: readonly string[]): string[] =>
  parameters.filter((name) => isSet(members[name]));
