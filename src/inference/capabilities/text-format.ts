import { Injectable } from '@nestjs/common';
import type { BilledStream } from '../../billing/spending.js';
import { Config } from '../../config/config.js';
import { invalidRequest } from '../../kernel/errors/errors.js';
import type { Principal } from '../../kernel/principal.js';
import { currentRequest } from '../../kernel/request-scope.js';
import type { BilledResponse } from '../call.js';
import { parseTextPreferences } from '../provider-preferences.js';
import type { InferenceContext } from '../task.js';
import { isSet, type Members } from '../../formats/members.js';
import type { FormatOperation } from '../../formats/vendor-text.js';
import type { ClientFormat } from '../../formats/client-format.js';
import { endUserHash } from '../text/end-user-hash.js';
import type { TextMeasure } from '../../formats/measure.js';
import { readVendorUse } from '../text/tools/vendor-use.js';
import { TextInference } from './text.js';
import type { TextRequest } from './text-request.js';

/** The members of a request that are the gateway's own in every format, validated. */
export interface OwnMembers {
  readonly model?: string;
  readonly models?: readonly string[] | null;
  readonly provider?: object | null;
  readonly user?: string;
}

/** A request of text as it arrived. */
export interface SentText<Body extends OwnMembers = OwnMembers> {
  readonly body: Body;
  /** The JSON of the body, and all members of it. */
  readonly bytes: Buffer;
  readonly members: Members;
  /** Names of members whose value is no more that of `bytes`. */
  readonly rewritten?: readonly string[];
  readonly caller: Principal;
  /** `session_id`, of the body or the header. */
  readonly session: string | null | undefined;
  /** Headers that version the format. */
  readonly version?: string;
  readonly betas?: string;
}

/** What a request says in the words of its format. */
export interface RequestTerms {
  readonly measure: TextMeasure;
  /** Members that endpoints may lack, by the name of the parameter in the catalogue. */
  readonly parameters: () => readonly string[];
  /** Input modalities beside text. */
  readonly modalities: readonly string[];
  /** Reasoning is used and billed, but not returned. */
  readonly excludesReasoning: boolean;
  /** The tier that it names, by which its endpoints are chosen. */
  readonly serviceTier: string | undefined;
  /** The end user's id, where the format has a member of its own for it. */
  readonly user?: string;
  /** Measures the same request with other members. Absent = none of its tools can be left out. */
  readonly measureOf?: (members: Members) => TextMeasure;
  /** Why a request can be sent to no vendor of another format; undefined where it can. */
  readonly conversionRefusal?: (members: Members) => string | undefined;
  /** Absent = the generation of text. */
  readonly operation?: FormatOperation;
  /** What vendors of the format must not get as it arrived: members with other values. */
  readonly replaced?: Readonly<Record<string, unknown>>;
}

/** Serves requests of one format of clients. */
@Injectable()
export abstract class FormatInference<Body extends OwnMembers = OwnMembers> {
  protected abstract readonly format: ClientFormat;

  constructor(
    private readonly text: TextInference,
    private readonly config: Config,
  ) {}

  protected abstract termsOf(sent: SentText<Body>): RequestTerms;

  /** Settled when the promise resolves. */
  complete(sent: SentText<Body>, context: InferenceContext): Promise<BilledResponse<string>> {
    return this.text.complete(this.#toTextRequest(sent), context);
  }

  /** Resolves with the first event; `deliver` settles before the usage is sent. */
  stream(sent: SentText<Body>, context: InferenceContext): Promise<BilledStream> {
    return this.text.stream(this.#toTextRequest(sent), context);
  }

  /** The input tokens by a vendor's own count; undefined where none counts them. */
  count(sent: SentText<Body>, context: InferenceContext): Promise<number | undefined> {
    return this.text.count(this.#toTextRequest(sent), context);
  }

  #toTextRequest(sent: SentText<Body>): TextRequest {
    const { body, bytes, members, rewritten, caller, session, version, betas } = sent;
    const { format } = this;
    const { DEFAULT_MAX_OUTPUT_TOKENS, DRAIN_CANCELLED } = this.config.values;
    const named = body.model ?? body.models?.[0];
    if (named === undefined) throw invalidRequest('model is required');
    const { model, sort } = withoutSuffix(named);
    const preferences = parseTextPreferences(body.provider ?? undefined);
    const terms = this.termsOf(sent);
    const { replaced, operation, user = body.user } = terms;
    const vendorUse = readVendorUse(format.name, members);
    const measure = vendorUse?.searches.max ? { ...terms.measure, webSearches: vendorUse.searches.max } : terms.measure;
    return {
      format,
      model,
      fallbackModels: body.models ? fallbacksOf(body.models, named) : NO_MODELS,
      wire: {
        format: format.name,
        operation,
        bytes,
        members: replaced ? { ...members, ...replaced } : members,
        rewritten: replaced ? [...(rewritten ?? []), ...Object.keys(replaced)] : rewritten,
        version,
        betas,
      },
      members,
      measure,
      measureOf: terms.measureOf ?? (() => measure),
      vendorUse,
      parameters: terms.parameters,
      modalities: terms.modalities,
      serviceTier: terms.serviceTier,
      conversionRefusal: terms.conversionRefusal,
      preferences: sort && !preferences.sort ? { ...preferences, sort } : preferences,
      options: { excludeReasoning: terms.excludesReasoning, choices: measure.choices, request: members },
      endUser: user === undefined ? undefined : endUserHash(caller.accountId, user),
      session: session ? `${caller.workspaceNo}:${session}` : undefined,
      defaultMaxOutputTokens: caller.defaultMaxOutputTokens ?? (DEFAULT_MAX_OUTPUT_TOKENS || undefined),
      drainsCancelled: DRAIN_CANCELLED,
    };
  }
}

const NO_MODELS: readonly string[] = [];
const fallbacksOf = (models: readonly string[], named: string): string[] =>
  models.filter((model) => model !== named).map((id) => withoutSuffix(id).model);

/** Parameters of the generation of text that all of its formats name alike. */
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

/** The names of `parameters` that a request sets; null is unset. */
export const parametersIn = (members: Members, parameters: readonly string[]): string[] =>
  parameters.filter((name) => isSet(members[name]));

/** The end of a stream that fails before its call has begun. */
export const streamFailure = (format: ClientFormat, model: string, error: unknown): Uint8Array =>
  format.failing(
    { id: currentRequest()?.generationId ?? '', model, provider: '', created: Math.floor(Date.now() / 1_000) },
    error,
  );

/** `:nitro` sorts by throughput, `:floor` by price; other suffixes are part of the model's id. */
function withoutSuffix(id: string): { readonly model: string; readonly sort?: 'throughput' | 'price' } {
  if (id.endsWith(':nitro')) return { model: id.slice(0, -':nitro'.length), sort: 'throughput' };
  if (id.endsWith(':floor')) return { model: id.slice(0, -':floor'.length), sort: 'price' };
  return { model: id };
}
