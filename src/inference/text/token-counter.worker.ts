// Node loads this file directly: the compiled .js in dist, or the .ts under Jest. Therefore only erasable syntax is
// allowed.
import { performance } from 'node:perf_hooks';
import { parentPort } from 'node:worker_threads';
import { countTokens, setMergeCacheSize } from 'gpt-tokenizer/encoding/o200k_base';

// Turns the cache off: each eviction takes longer than the one before it, so text that does not repeat is counted
// faster without the cache.
setMergeCacheSize(0);

/** Text such as "<|endoftext|>" is counted as ordinary text, not as a special token. */
const OPTIONS = { disallowedSpecial: new Set<string>() };
/**
 * The tokenizer takes time quadratic in the length of a word or of a sequence of blanks (398 s for 512 KiB of one
 * letter). Longer words and sequences are therefore cut, which adds at most one token per cut.
 */
const MAX_RUN_CHARACTERS = 96;
const WHITESPACE = /\s/;

function count(text: string): number {
  let tokens = 0;
  let start = 0;
  let run = 0;
  let inBlanks = false;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    const isBlank = code < 128 ? code === 32 || (code >= 9 && code <= 13) : code >= 160 && isUnicodeBlank(code);
    if (isBlank !== inBlanks) {
      inBlanks = isBlank;
      run = 1;
    } else if (++run > MAX_RUN_CHARACTERS) {
      const isLowSurrogate = code >= 0xdc00 && code <= 0xdfff;
      const end = isLowSurrogate ? index - 1 : index;
      tokens += countTokens(text.slice(start, end), OPTIONS);
      start = end;
      run = index - end + 1;
    }
  }
  return tokens + countTokens(text.slice(start), OPTIONS);
}

const isUnicodeBlank = (code: number): boolean =>
  (code === 160 || code === 0x1680 || (code >= 0x2000 && code <= 0x3000) || code === 0xfeff) &&
  WHITESPACE.test(String.fromCharCode(code));

/** Milliseconds of CPU time of this thread since its start; before Node 23.9, the time in which it was not idle. */
function cpuMs(): number {
  if (!('threadCpuUsage' in process)) return performance.eventLoopUtilization().active;
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** CPU time at the last reply. The time of a piece includes its transfer to this thread. */
let repliedMs = 0;

parentPort!.on('message', (text: string) => {
  try {
    const tokens = count(text);
    const now = cpuMs();
    parentPort!.postMessage({ ok: true, result: { tokens, cpuMs: now - repliedMs }, cpuMs: now }, []);
    repliedMs = now;
  } catch (error) {
    parentPort!.postMessage({ ok: false, message: String(error), cpuMs: cpuMs() }, []);
  }
});
