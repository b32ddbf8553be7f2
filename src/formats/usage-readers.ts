import { parseDecimal, type Decimal } from '../kernel/money.js';
import { isObject, membersOf, type Members } from './members.js';
import { addReadings, readCount, reportOf, type ReportedCount, type VendorUsage } from './usage.js';

/** Reads the usage that a vendor reports in one of the wire formats. Never throws: `usage` may be any JSON. */
export type UsageParser = (usage: unknown) => VendorUsage;

/** For `/chat/completions`, including members that compatible vendors add. */
export const readChatUsage: UsageParser = (usage) => {
  const report = membersOf(usage);
  const hit = readCount(report.prompt_cache_hit_tokens);
  return completionReport(report, {
    prompt: readCount(report.prompt_tokens) ?? addReadings(hit, readCount(report.prompt_cache_miss_tokens)),
    completion: readCount(report.completion_tokens),
    promptDetails: membersOf(report.prompt_tokens_details),
    completionDetails: membersOf(report.completion_tokens_details),
    // Vendors use different names. The last two names are Mistral's.
    cacheHit:
      hit ??
      readCount(report.cached_tokens) ??
      readCount(report.num_cached_tokens) ??
      readCount(membersOf(report.prompt_token_details).cached_tokens),
  });
};

export const readResponsesUsage: UsageParser = (usage) => {
  const report = membersOf(usage);
  return completionReport(report, {
    prompt: readCount(report.input_tokens),
    completion: readCount(report.output_tokens),
    promptDetails: membersOf(report.input_tokens_details),
    completionDetails: membersOf(report.output_tokens_details),
    cacheHit: undefined,
  });
};

/** For `/embeddings`, which has no completion. */
export const readEmbeddingsUsage: UsageParser = (usage) => {
  const { prompt_tokens: prompt, input_tokens: input, tokens, total_tokens: total, ...rest } = membersOf(usage);
  return reportOf(
    { prompt: readCount(prompt) ?? readCount(input) ?? readCount(tokens) ?? readCount(total), completion: 0 },
    { vendorCostUsd: vendorCost(rest) },
  );
};

/**
 * For `/messages`. For a stream, pass the result of `mergeMessagesUsage`. The vendor's input count excludes tokens that
 * were read from or written to a cache.
 */
export const readMessagesUsage: UsageParser = (usage) => {
  const report = membersOf(usage);
  const cacheRead = readCount(report.cache_read_input_tokens);
  const writes = cacheWrites(readCount(report.cache_creation_input_tokens), membersOf(report.cache_creation));
  const input = readCount(report.input_tokens);
  return reportOf(
    {
      prompt: input === undefined ? undefined : addReadings(input, cacheRead, writes.cacheWrite5m, writes.cacheWrite1h),
      completion: readCount(report.output_tokens),
      cacheRead,
      ...writes,
      reasoning: readCount(membersOf(report.output_tokens_details).thinking_tokens),
      webSearches: readCount(membersOf(report.server_tool_use).web_search_requests),
    },
    { vendorCostUsd: vendorCost(report), ...unpricedOf(report) },
  );
};

/**
 * The usage so far of a stream of `/messages`. The counts are cumulative, so the latest value of each count is used.
 */
export function mergeMessagesUsage(previous: unknown, next: unknown): Members {
  const reported = Object.entries(membersOf(next)).filter(([, value]) => value !== undefined && value !== null);
  return { ...membersOf(previous), ...Object.fromEntries(reported) };
}

/** For `generateContent`. The format omits zeros, so a missing candidate count is computed from the total. */
export const readGenerateContentUsage: UsageParser = (usage) => {
  const report = membersOf(usage);
  const thoughts = readCount(report.thoughtsTokenCount);
  const input = readCount(report.promptTokenCount);
  const prompt = input === undefined ? undefined : addReadings(input, readCount(report.toolUsePromptTokenCount));
  const total = readCount(report.totalTokenCount);
  const candidates = readCount(report.candidatesTokenCount);
  const rest = typeof total === 'number' && typeof prompt === 'number' ? total - prompt : undefined;
  return reportOf({
    prompt,
    completion: candidates === undefined ? (readCount(rest) ?? thoughts) : addReadings(candidates, thoughts),
    cacheRead: readCount(report.cachedContentTokenCount),
    // Cached audio is priced as cached tokens, so it does not count as audio.
    inputAudio: lessOf(
      addReadings(modality(report.promptTokensDetails, 'AUDIO'), modality(report.toolUsePromptTokensDetails, 'AUDIO')),
      modality(report.cacheTokensDetails, 'AUDIO'),
    ),
    outputAudio: modality(report.candidatesTokensDetails, 'AUDIO'),
    outputImage: modality(report.candidatesTokensDetails, 'IMAGE'),
    reasoning: thoughts,
  });
};

/**
 * For the usage of the package interface `LanguageModelV4`. `readRaw` reads the vendor's own report if the package
 * forwards it and its format is known. That report distinguishes more classes.
 */
export function readLanguageModelUsage(usage: unknown, readRaw?: UsageParser): VendorUsage {
  const report = membersOf(usage);
  const raw = membersOf(report.raw);
  if (readRaw && isObject(report.raw)) {
    const detailed = readRaw(raw);
    if (detailed.counts.prompt !== undefined && detailed.counts.completion !== undefined) return detailed;
  }
  const input = membersOf(report.inputTokens);
  const output = membersOf(report.outputTokens);
  const cacheRead = readCount(input.cacheRead);
  const writes = cacheWrites(readCount(input.cacheWrite), membersOf(raw.cache_creation));
  const text = readCount(output.text);
  const reasoning = readCount(output.reasoning);
  const completion = readCount(output.total) ?? addReadings(text, reasoning);
  const isBeside = typeof reasoning === 'number' && reasoning > 0 && completion === text;
  return reportOf(
    {
      prompt:
        readCount(input.total) ??
        addReadings(readCount(input.noCache), cacheRead, writes.cacheWrite5m, writes.cacheWrite1h),
      completion: isBeside ? addReadings(completion, reasoning) : completion,
      cacheRead,
      ...writes,
      reasoning,
    },
    { vendorCostUsd: vendorCost(raw) },
  );
}

interface CompletionCounts {
  readonly prompt: ReportedCount;
  readonly completion: ReportedCount;
  readonly promptDetails: Members;
  readonly completionDetails: Members;
  readonly cacheHit: ReportedCount;
}

function completionReport(report: Members, counts: CompletionCounts): VendorUsage {
  const { prompt, promptDetails, completionDetails } = counts;
  const reasoning = readCount(completionDetails.reasoning_tokens) ?? readCount(report.reasoning_tokens);
  const total = readCount(report.total_tokens);
  // Vendors that count reasoning outside the completion are detected by the sum, not by their name.
  const beside = addReadings(prompt, counts.completion, reasoning);
  const isBeside = typeof reasoning === 'number' && reasoning > 0 && total === beside;
  const completion = isBeside ? addReadings(counts.completion, reasoning) : counts.completion;
  const unattributed = lessOf(total, addReadings(prompt, completion));
  return reportOf(
    {
      prompt,
      completion,
      cacheRead: readCount(promptDetails.cached_tokens) ?? counts.cacheHit ?? readCount(report.cache_read_input_tokens),
      ...cacheWrites(
        readCount(promptDetails.cache_write_tokens) ??
          readCount(promptDetails.cache_creation_input_tokens) ??
          readCount(promptDetails.cache_creation_tokens) ??
          readCount(report.cache_creation_input_tokens),
        membersOf(promptDetails.cache_creation ?? report.cache_creation),
      ),
      inputAudio: readCount(promptDetails.audio_tokens),
      outputAudio: readCount(completionDetails.audio_tokens),
      outputImage: readCount(completionDetails.image_tokens),
      reasoning,
      webSearches:
        readCount(membersOf(report.server_tool_use).web_search_requests) ??
        readCount(membersOf(report.server_tool_use_details).web_search_requests) ??
        readCount(report.num_search_queries),
    },
    {
      ...(typeof unattributed === 'number' && unattributed > 0 ? { unattributed } : {}),
      vendorCostUsd: vendorCost(report),
      ...unpricedOf(report),
    },
  );
}

/** Counts of a vendor's tools that are priced as web searches, or that are free at every vendor. */
const PRICED_OR_FREE: ReadonlySet<string> = new Set([
  'web_search_requests',
  'tool_search_requests',
  'tool_calls_requested',
  'tool_calls_executed',
]);
/** Maximum number of unpriced entries to keep from a vendor's report. */
const MAX_UNPRICED = 16;
const NOTHING_UNPRICED = {};

/** The counts of the vendor's own tools, except the names in PRICED_OR_FREE. */
function unpricedOf(report: Members): Pick<VendorUsage, 'unpriced'> {
  const { server_tool_use: used, server_tool_use_details: details, server_side_tool_usage_details: server } = report;
  const { num_sources_used: sources } = report;
  if (!used && !details && !server && !sources) return NOTHING_UNPRICED;
  const counts = [used, details, server]
    .flatMap((each) => Object.entries(membersOf(each)))
    .concat([['num_sources_used', sources]])
    .filter(([name, count]) => !PRICED_OR_FREE.has(name) && typeof count === 'number' && count > 0)
    .slice(0, MAX_UNPRICED);
  return counts.length === 0 ? {} : { unpriced: Object.fromEntries(counts) as Record<string, number> };
}

/**
 * Cache writes by lifetime. If the total is known, writes that are not reported for one hour count for five minutes.
 */
function cacheWrites(
  written: ReportedCount,
  split: Members,
): { cacheWrite5m: ReportedCount; cacheWrite1h: ReportedCount } {
  const fiveMinutes = readCount(split.ephemeral_5m_input_tokens);
  const oneHour = readCount(split.ephemeral_1h_input_tokens);
  if (typeof written === 'string') return { cacheWrite5m: written, cacheWrite1h: oneHour };
  if (written === undefined || typeof oneHour === 'string') return { cacheWrite5m: fiveMinutes, cacheWrite1h: oneHour };
  return { cacheWrite5m: lessOf(written, oneHour), cacheWrite1h: oneHour };
}

/** `whole` minus `part`, at least 0. */
function lessOf(whole: ReportedCount, part: ReportedCount): ReportedCount {
  if (typeof whole !== 'number' || part === undefined) return whole;
  return typeof part === 'number' ? Math.max(0, whole - part) : part;
}

/** The tokens of one modality in a list of details. */
function modality(details: unknown, name: string): ReportedCount {
  if (!Array.isArray(details)) return undefined;
  let tokens: ReportedCount;
  for (const detail of details.map(membersOf)) {
    if (detail.modality === name) tokens = addReadings(tokens, readCount(detail.tokenCount));
  }
  return tokens;
}

/** 10^10 ticks are one dollar. */
const TICK_SCALE = 10;
/** Maximum length of a number that a vendor sends as text, to bound the work of reading it. */
const MAX_COST_CHARACTERS = 40;

function vendorCost({ cost, cost_in_usd_ticks: ticks, estimated_cost: estimated }: Members): Decimal | undefined {
  const count = readCount(ticks);
  if (typeof count === 'number') return { units: BigInt(count), scale: TICK_SCALE };
  const amount = membersOf(cost).total_cost ?? cost ?? estimated;
  const text = typeof amount === 'number' || typeof amount === 'string' ? String(amount) : '';
  const decimal = text.length > MAX_COST_CHARACTERS ? undefined : parseDecimal(text);
  return decimal && decimal.units >= 0n ? decimal : undefined;
}
