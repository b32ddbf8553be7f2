/** Header values in the form of undici or of a vendor's package. */
export type ResponseHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** A larger number is a timestamp, which is ignored. */
const MAX_SECONDS = 86_400;
const RESET = /^x-ratelimit-reset-/;
/** A duration such as `250ms`, `6m0s` or `2m59.56s`. */
const DURATION = /^(?:(\d+)h)?(?:(\d+)m(?!s))?(?:(\d+(?:\.\d+)?)s)?(?:(\d+(?:\.\d+)?)ms)?$/;

/**
 * The time to wait before the next request to the vendor: the value of `retry-after`, unchanged. Without this header,
 * the latest time of the headers `x-ratelimit-reset-*` in whole seconds. Ignores resets of limits that are not used up.
 */
export function retryAfterOf(headers: ResponseHeaders): string | undefined {
  const named = headers['retry-after'];
  if (named !== undefined) return String(named);
  let latest: number | undefined;
  for (const name in headers) {
    if (!RESET.test(name)) continue;
    const remaining = Number(headers[name.replace('reset', 'remaining')] ?? 0);
    const seconds = secondsOf(String(headers[name]));
    if (seconds !== undefined && seconds <= MAX_SECONDS && !(remaining > 0)) latest = Math.max(latest ?? 0, seconds);
  }
  return latest === undefined ? undefined : String(Math.ceil(latest));
}

function secondsOf(text: string): number | undefined {
  if (/^\d+(?:\.\d+)?$/.test(text)) return Number(text);
  const [whole, hours = 0, minutes = 0, seconds = 0, milliseconds = 0] = DURATION.exec(text) ?? [];
  if (!whole) return undefined;
  return Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds) + Number(milliseconds) / 1_000;
}
