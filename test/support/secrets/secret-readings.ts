import { MORE_NAMED, NAMED } from './secret-writings.js';

const utf8 = (text: string): Buffer => Buffer.from(text, 'utf8');
const unescaped = (from: string): string =>
  from.replace(/\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|(.))/gs, (_, u?: string, x?: string, char?: string) =>
    char === undefined
      ? String.fromCharCode(Number.parseInt((u ?? x)!, 16))
      : ({ n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' }[char] ?? char),
  );
const percentDecoded = (from: string): string =>
  Buffer.concat(
    from
      .split(/((?:%[0-9a-fA-F]{2})+)/)
      .map((part) =>
        part.startsWith('%') && /^(?:%[0-9a-fA-F]{2})+$/.test(part)
          ? Buffer.from(part.replaceAll('%', ''), 'hex')
          : utf8(part),
      ),
  ).toString('utf8');
/** Percent-decodes a text that was read as Latin-1, and reads the result as UTF-8. */
const percentDecodedBytes = (from: string): string =>
  Buffer.from(
    from.replace(/%([0-9a-fA-F]{2})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16))),
    'latin1',
  ).toString('utf8');
const percentDecodedLatin1 = (from: string): string =>
  from.replace(/%([0-9a-fA-F]{2})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));
const htmlDecoded = (from: string): string =>
  from.replace(
    /&(?:#x([0-9a-f]{1,6})|#([0-9]{1,8})|([a-z]{2,7}));?/gi,
    (whole, hex?: string, decimal?: string, name?: string) => {
      if (name !== undefined) return charNamed(name) ?? charNamed(name.toLowerCase()) ?? whole;
      const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
      return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    },
  );
const charNamed = (name: string): string | undefined =>
  Object.entries({ ...NAMED, ...MORE_NAMED }).find(([, entity]) => entity === `&${name};`)?.[0];
const withoutLines = (from: string): string => from.replace(/\\r|\\n|\r|\n/g, '');
const runsOf = (from: string, pattern: RegExp, offsets: number, decode: (run: string) => Buffer): string =>
  [...from.matchAll(pattern)]
    .flatMap(([run]) => Array.from({ length: offsets }, (_, offset) => decode(run.slice(offset))))
    .map((bytes) => `${bytes.toString('utf8')}\n${bytes.toString('latin1')}`)
    .join('\n');
const base64Decoded = (from: string): string =>
  runsOf(from, /[A-Za-z0-9+/_-]{8,}/g, 4, (run) => Buffer.from(run, 'base64'));
const hexDecoded = (from: string): string =>
  runsOf(from, /[0-9a-fA-F]{12,}/g, 2, (run) => Buffer.from(run.slice(0, run.length & ~1), 'hex'));

const DECODERS = [
  unescaped,
  percentDecoded,
  percentDecodedBytes,
  percentDecodedLatin1,
  htmlDecoded,
  withoutLines,
  base64Decoded,
  hexDecoded,
  (from: string) => from.replaceAll('+', ' '),
  (from: string) => from.replace(/(?<=[0-9a-f]{2})[: ](?=[0-9a-f]{2})/gi, ''),
  (from: string) => Buffer.from(from, 'latin1').toString('utf8'),
];

/**
 * Whether a reader finds the value or half of it by decoding the bytes in the usual ways, up to three of them in
 * sequence. Independent of how the proxy masks.
 */
export function revealsAny(bytes: Buffer, value: string): boolean {
  const half = Math.ceil(value.length / 2);
  const wanted = value.length < 12 ? [value] : [value.slice(0, half), value.slice(half)];
  const lineEnds = wanted.flatMap((each) => [each, each.replaceAll('\n', '\r\n')]);
  const utf16 = [0, 1].flatMap((from) => {
    const even = bytes.subarray(from, bytes.length - ((bytes.length - from) % 2));
    return [even.toString('utf16le'), Buffer.from(even).swap16().toString('utf16le')];
  });
  let texts = new Set([bytes.toString('utf8'), bytes.toString('latin1'), ...utf16]);
  for (let depth = 0; depth <= 3; depth++) {
    for (const each of texts) if (lineEnds.some((part) => each.includes(part))) return true;
    texts = new Set(
      [...texts].flatMap((each) => DECODERS.map((decode) => decode(each))).filter((each) => !texts.has(each)),
    );
  }
  return false;
}
