import { readCount } from '../formats/usage.js';
import type { ReportedUsage } from '../providers/ports/endpoint-call.js';
import type { TokenCounts } from './task.js';

/** The reason why a report is not used. */
export type UsageFault = 'usage_missing' | 'usage_invalid';

/**
 * Checks a reported amount of seconds or search units. Fractions are valid, because some vendors count in fractions.
 */
export function faultOfAmount(amount: unknown): UsageFault | undefined {
  if (amount === undefined || amount === null) return 'usage_missing';
  return typeof amount === 'number' && amount >= 0 ? undefined : 'usage_invalid';
}

/** Checks reported token counts. Parts of a total may be missing. */
export function faultOfCounts(reported: ReportedUsage): UsageFault | undefined {
  const totals = [reported.promptTokens, reported.completionTokens].map(faultOf);
  const parts = [...promptPartsOf(reported), ...completionPartsOf(reported)].map(faultOf);
  return [...totals, ...parts].includes('usage_invalid') ? 'usage_invalid' : totals.find((fault) => fault);
}

const promptPartsOf = ({ promptImageTokens, promptTextTokens, promptAudioTokens }: ReportedUsage): unknown[] => [
  promptImageTokens,
  promptTextTokens,
  promptAudioTokens,
];
const completionPartsOf = ({ completionImageTokens, completionTextTokens }: ReportedUsage): unknown[] => [
  completionImageTokens,
  completionTextTokens,
];

/** Whether the parts of the prompt, or of the completion, add up to more than its total. */
export function exceedsTotal(reported: ReportedUsage): boolean {
  const isLess = (total: unknown, parts: readonly unknown[]): boolean =>
    (total as number) < parts.reduce<number>((sum, part) => sum + ((part as number | null | undefined) ?? 0), 0);
  return (
    isLess(reported.promptTokens, promptPartsOf(reported)) ||
    isLess(reported.completionTokens, completionPartsOf(reported))
  );
}

function faultOf(count: unknown): UsageFault | undefined {
  const read = readCount(count);
  return read === undefined ? 'usage_missing' : read === 'invalid' ? 'usage_invalid' : undefined;
}

/** The counts of a report; undefined if a total is missing, invalid or too large to record exactly. */
export function countsOf(reported: ReportedUsage | undefined): TokenCounts | undefined {
  const { promptTokens: prompt, completionTokens: completion } = reported ?? {};
  if (!isCount(prompt) || !isCount(completion)) return undefined;
  return { prompt, ...partsOf(reported!, prompt), completion };
}

/** The parts of a prompt that have separate prices, each limited to the size of the prompt. */
export function partsOf(
  { promptImageTokens: image, promptAudioTokens: audio }: ReportedUsage,
  prompt: number,
): Pick<TokenCounts, 'promptImage' | 'promptAudio'> {
  const part = (count: unknown): number | undefined => (faultOf(count) ? undefined : Math.min(count as number, prompt));
  const promptAudio = part(audio);
  return { promptImage: part(image), ...(promptAudio === undefined ? {} : { promptAudio }) };
}

export const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

const MAX_PRINTED_CHARACTERS = 100;

/** The reported counts, each shortened, because a vendor may send any JSON. */
export function printableCounts(reported: ReportedUsage | undefined): Record<string, string> {
  return Object.fromEntries(
    Object.entries(reported ?? {}).map(([name, value]) => [
      name,
      (JSON.stringify(value) ?? 'undefined').slice(0, MAX_PRINTED_CHARACTERS),
    ]),
  );
}
