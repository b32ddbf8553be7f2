import type { TextLimits } from '../../catalogue/catalogue-model.js';
import type { TokenPriceList } from '../../catalogue/token-price-list.js';
import { sum, times, toNano, type Decimal, type Nano } from '../../kernel/money.js';
import type { TextMeasure } from '../../formats/measure.js';
import { FRAME_TOKENS } from '../usage-judgement.js';
import { ratesInReach, type TokenRates } from './token-rates.js';

export interface WorstCaseTerms {
  readonly limits: TextLimits;
  readonly prices: TokenPriceList;
  /** The time of the reservation, Unix milliseconds. */
  readonly at: number;
  /** The output tokens to reserve, and to forward as the limit, if the caller sets no limit. */
  readonly defaultMaxOutputTokens?: number;
}

/** The maximum usage and cost of a request at an endpoint. */
export interface WorstCase {
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly choices: number;
  /** Output tokens of one choice, the `requested_tokens` of a 402. */
  readonly outputTokens: number;
  /** The limit on the output tokens of one choice that this service adds to the request; absent if it adds none. */
  readonly addedMaxTokens?: number;
  readonly inputImages: number;
  readonly webSearches: number;
  readonly price: Nano;
  readonly promptPrice: Nano;
  readonly completionPrice: Nano;
  /** The price of the input and of one output token, for each set of rates that can apply. */
  readonly lines: readonly PriceLine[];
}

interface PriceLine {
  readonly input: Decimal;
  readonly outputToken: Decimal;
}

/**
 * The endpoint cannot serve the request because its usage is unlimited. The caller gets a 400 unless another endpoint
 * can serve it.
 */
interface Unbounded {
  readonly unbounded: 'output' | 'prompt';
}

/** The web searches to reserve, and to forward as the limit, for a tool without a limit. */
export const MAX_WEB_SEARCHES = 10;
const TOKENS_PER_MESSAGE = 8;
const TOKENS_PER_TOOL = 16;

/**
 * Computes the maximum usage and cost of a request, to reserve the cost. A text has at most as many tokens as UTF-8
 * bytes, because every vocabulary in use can encode each byte as one token.
 */
export function worstCaseOf(measure: TextMeasure, terms: WorstCaseTerms): WorstCase | Unbounded {
  const { limits, prices, at } = terms;
  const output = outputBound(measure, terms);
  if (output === undefined) return { unbounded: 'output' };
  const promptTokens = promptBound(measure, limits);
  if (promptTokens === undefined) return { unbounded: 'prompt' };
  const { webSearches: allowed = 0 } = measure;
  const webSearches = Math.max(allowed, limits.maxWebSearches ?? 0);
  const completionTokens = output.tokens * measure.choices;
  const inputs = { promptTokens, inputImages: measure.images, webSearches };
  const lines = ratesInReach(prices, promptTokens, at).map((rates) => ({
    input: inputPrice(rates, inputs, measure, limits),
    outputToken: highestPrice([
      rates.completion,
      rates.reasoning,
      measure.audioOutput ? rates.outputAudio : undefined,
      measure.imageOutput ? rates.outputImage : undefined,
    ]),
  }));
  let line = lines[0]!;
  let total = linePrice(line, completionTokens);
  for (let index = 1; index < lines.length; index++) {
    const other = linePrice(lines[index]!, completionTokens);
    if (compare(other, total) > 0) [line, total] = [lines[index]!, other];
  }
  const [price, promptPrice] = [toNano(total), toNano(line.input)];
  return {
    ...inputs,
    completionTokens,
    choices: measure.choices,
    outputTokens: output.tokens,
    ...(output.isDefault ? { addedMaxTokens: output.tokens } : {}),
    price,
    promptPrice,
    completionPrice: price - promptPrice,
    lines,
  };
}

/**
 * The number of output tokens of each choice that an amount can pay for, in addition to the input; at most the
 * requested number.
 */
export function affordableOutputTokens(worst: WorstCase, amount: Nano): number {
  if (worst.choices === 0 || amount < 0n) return 0;
  let affordable = BigInt(worst.outputTokens);
  for (const { input, outputToken } of worst.lines) {
    // The price is rounded half up, so it is at most `amount` if twice the exact price is less than `2 × amount + 1`.
    const scale = Math.max(10, input.scale, outputToken.scale);
    const budget = (2n * amount + 1n) * 5n * 10n ** BigInt(scale - 10) - unitsAt(input, scale) - 1n;
    const perToken = unitsAt(outputToken, scale) * BigInt(worst.choices);
    if (budget < 0n) return 0;
    if (perToken > 0n && budget / perToken < affordable) affordable = budget / perToken;
  }
  return Number(affordable);
}

function outputBound(
  { choices, maxOutputTokens }: TextMeasure,
  { limits, defaultMaxOutputTokens }: WorstCaseTerms,
): { readonly tokens: number; readonly isDefault: boolean } | undefined {
  if (choices === 0) return { tokens: 0, isDefault: false };
  const rest = limits.contextLength ? limits.contextLength - 1 : Infinity;
  const own = Math.min(limits.maxCompletionTokens ?? rest, rest);
  const isDefault = maxOutputTokens === undefined && defaultMaxOutputTokens !== undefined;
  const tokens = maxOutputTokens === undefined ? Math.min(defaultMaxOutputTokens ?? own, own) : maxOutputTokens;
  const bound = Math.min(tokens, rest);
  return Number.isFinite(bound) ? { tokens: bound, isDefault } : undefined;
}

function promptBound(measure: TextMeasure, limits: TextLimits): number | undefined {
  const { images, audioSeconds, filePages, prompts = 1 } = measure;
  const whole = prompts * (limits.maxPromptTokens ?? (limits.contextLength || Infinity));
  const bound =
    Math.ceil(measure.textBytes * (limits.textGrowth ?? 1)) +
    measure.tokenIds +
    FRAME_TOKENS +
    TOKENS_PER_MESSAGE * measure.messages +
    TOKENS_PER_TOOL * measure.tools +
    (limits.frameTokens ?? 0) +
    (images && images * (limits.tokensPerImage ?? Infinity)) +
    (audioSeconds && audioSeconds * (limits.tokensPerAudioSecond ?? Infinity)) +
    (filePages && filePages * (limits.tokensPerFilePage ?? Infinity));
  const tokens = Math.min(measure.readsUnmeasured ? Infinity : bound, whole);
  return Number.isFinite(tokens) ? tokens : undefined;
}

function inputPrice(
  rates: TokenRates,
  { promptTokens, inputImages, webSearches }: Pick<WorstCase, 'promptTokens' | 'inputImages' | 'webSearches'>,
  measure: TextMeasure,
  limits: TextLimits,
): Decimal {
  const hasAudio = measure.audioSeconds > 0 || measure.readsUnmeasured;
  const writesCache = measure.writesCache || limits.cachesByItself === true;
  const token = highestPrice([
    rates.prompt,
    rates.cacheRead,
    hasAudio ? rates.inputAudio : undefined,
    writesCache ? rates.cacheWrite : undefined,
    writesCache ? rates.cacheWrite1h : undefined,
  ]);
  const amounts = [times(token, BigInt(promptTokens))];
  if (inputImages > 0) amounts.push(times(rates.inputImage, BigInt(inputImages)));
  if (webSearches > 0) amounts.push(times(rates.webSearch, BigInt(webSearches)));
  if (rates.request.units !== 0n) amounts.push(rates.request);
  return sum(amounts);
}

const linePrice = ({ input, outputToken }: PriceLine, tokens: number): Decimal =>
  sum([input, times(outputToken, BigInt(tokens))]);

const unitsAt = ({ units, scale }: Decimal, wanted: number): bigint =>
  scale === wanted ? units : units * 10n ** BigInt(wanted - scale);

function compare(a: Decimal, b: Decimal): number {
  const scale = Math.max(a.scale, b.scale);
  const difference = unitsAt(a, scale) - unitsAt(b, scale);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

/** A class without a price has the object of another class, so the same object needs no comparison. */
function highestPrice([first, ...others]: readonly [Decimal, ...(Decimal | undefined)[]]): Decimal {
  let most = first;
  for (const amount of others) if (amount && amount !== most && compare(amount, most) > 0) most = amount;
  return most;
}
