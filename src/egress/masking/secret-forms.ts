/** Maximum length of a form's prefix in the automaton. The rest of a longer form is compared byte by byte. */
const MAX_PREFIX_BYTES = 32;

/** Shorter values are not masked, because they are too short for secrets and occur by chance in many responses. */
const MIN_CHARACTERS = 6;

/** One encoding of a secret: the bytes to search for after escapes are decoded. */
export class SecretForm {
  #whole: Buffer | undefined;
  #fallbacks: Int32Array | undefined;

  constructor(
    /** The first bytes, at most MAX_PREFIX_BYTES. */
    readonly prefix: Buffer,
    /** Length of the whole form, in bytes. */
    readonly length: number,
    /** Whether the form consists of base64 or hexadecimal digits, which may contain line breaks. */
    readonly isEncoded: boolean,
    private readonly write: () => Buffer,
  ) {}

  /**
   * The number of bytes that this form keeps in memory. Bytes that several forms of a value share are counted for the
   * plain form.
   */
  get keptBytes(): number {
    return this.isEncoded ? (this.#whole?.length ?? 0) : this.length;
  }

  /** The bytes of the whole form. Created on first access, because most long forms are never needed. */
  get whole(): Buffer {
    return (this.#whole ??= this.length === this.prefix.length ? this.prefix : this.write());
  }

  /** See `fallbacksOf`. */
  get fallbacks(): Int32Array {
    return (this.#fallbacks ??= fallbacksOf(this.whole));
  }
}

/**
 * The failure table of Knuth, Morris and Pratt. The entry for a number of matched bytes is the length of the longest
 * prefix with which to continue after a mismatch; -1 = no prefix. The last entry is for the whole form.
 */
function fallbacksOf(bytes: Buffer): Int32Array {
  const fallbacks = new Int32Array(bytes.length + 1);
  fallbacks[0] = -1;
  let border = 0;
  for (let at = 1; at < bytes.length; at++) {
    fallbacks[at] = bytes[at] === bytes[border] ? fallbacks[border]! : border;
    while (border >= 0 && bytes[at] !== bytes[border]) border = fallbacks[border]!;
    border++;
  }
  fallbacks[bytes.length] = border;
  return fallbacks;
}

/** Whether a value is long enough to be masked. */
const canBeMasked = (value: string): boolean =>
  value.length >= MIN_CHARACTERS && Array.from(value.slice(0, 2 * MIN_CHARACTERS)).length >= MIN_CHARACTERS;

/**
 * All forms of a value; none if the value is too short. Most escapes need no form, because they are decoded before the
 * search.
 */
export function formsOf(value: string): SecretForm[] {
  if (!canBeMasked(value)) return [];
  // HTTP removes white space at both ends of a header value.
  const trimmed = value.trim();
  const lines = withLineEnds(canBeMasked(trimmed) ? trimmed : value);
  const texts = [...new Set([...lines, ...lines.flatMap(inJson)])];
  const raw = new Map(texts.flatMap(bytesOf).map((bytes) => [bytes.toString('latin1'), bytes]));
  const forms = [...raw.values()].flatMap((bytes) => [formOf(bytes), ...base64Forms(bytes), ...hexForms(bytes)]);
  return [...forms, ...lines.flatMap(utf16Forms)];
}

/** The text with LF and with CRLF line ends. */
function withLineEnds(text: string): string[] {
  return text.includes('\n') ? [text.replace(/\r?\n/g, '\n'), text.replace(/\r?\n/g, '\r\n')] : [text];
}

/**
 * The text as JSON strings contain it. JSON is often encoded again, as in a signed token or a URL, so that its escapes
 * cannot be decoded.
 */
function inJson(text: string): string[] {
  const json = JSON.stringify(text).slice(1, -1);
  const ascii = json.replace(/[^\0-~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return [json, ascii].flatMap((each) => [each, each.replaceAll('/', '\\/')]);
}

/**
 * A text in three encodings: in UTF-8; in Latin-1, as in headers; and in UTF-8 that was decoded as Latin-1 and encoded
 * again.
 */
function bytesOf(text: string): Buffer[] {
  const utf8 = Buffer.from(text, 'utf8');
  if (utf8.length === text.length) return [utf8];
  const latin1 = /^[\0-\xff]*$/.test(text) ? [Buffer.from(text, 'latin1')] : [];
  return [utf8, ...latin1, Buffer.from(utf8.toString('latin1'), 'utf8')];
}

const formOf = (bytes: Buffer): SecretForm =>
  new SecretForm(bytes.subarray(0, MAX_PREFIX_BYTES), bytes.length, false, () => bytes);

/**
 * The base64 characters of these bytes within a longer text, for each offset in a group of three bytes. A form contains
 * only the characters that these bytes alone determine. If the last character also depends on what follows, a second
 * form contains that character as it is at the end of a text.
 */
function base64Forms(bytes: Buffer): SecretForm[] {
  return [0, 1, 2].flatMap((before) => {
    const first = Math.ceil((before * 8) / 6);
    const full = Math.floor(((before + bytes.length) * 8) / 6) - first;
    const isPartial = (before + bytes.length) % 3 !== 0;
    return [full, ...(isPartial ? [full + 1] : [])].flatMap((length) => {
      const letters = (of: Buffer): string =>
        Buffer.concat([Buffer.alloc(before), of])
          .toString('base64')
          .slice(first, first + length);
      return inBothAlphabets(bytes, length, letters);
    });
  });
}

function inBothAlphabets(bytes: Buffer, length: number, letters: (of: Buffer) => string): SecretForm[] {
  const all = letters(bytes);
  const beginning = all.slice(0, MAX_PREFIX_BYTES);
  const inUrls = (text: string): string => text.replaceAll('+', '-').replaceAll('/', '_');
  const form = (spell: (text: string) => string): SecretForm =>
    new SecretForm(Buffer.from(spell(beginning), 'latin1'), length, true, () =>
      Buffer.from(spell(letters(bytes)), 'latin1'),
    );
  return inUrls(all) === all ? [form((text) => text)] : [form((text) => text), form(inUrls)];
}

/** Hexadecimal digits in lower and upper case, also separated as in `6b:65:79` and `6b 65 79`. */
function hexForms(bytes: Buffer): SecretForm[] {
  const cases = [(digits: string) => digits, (digits: string) => digits.toUpperCase()];
  return ['', ':', ' '].flatMap((separator) =>
    cases.map((inCase) => {
      const write = (of: Buffer): Buffer => Buffer.from(inCase(separated(of.toString('hex'), separator)), 'latin1');
      const prefix = write(bytes.subarray(0, MAX_PREFIX_BYTES / 2)).subarray(0, MAX_PREFIX_BYTES);
      return new SecretForm(prefix, (2 + separator.length) * bytes.length - separator.length, true, () => write(bytes));
    }),
  );
}

const separated = (digits: string, separator: string): string =>
  separator === '' ? digits : digits.replace(/..(?!$)/g, `$&${separator}`);

/** The text in UTF-16, in both byte orders. */
function utf16Forms(text: string): SecretForm[] {
  const inOrder = [(of: string) => Buffer.from(of, 'utf16le'), (of: string) => Buffer.from(of, 'utf16le').swap16()];
  return inOrder.map(
    (write) => new SecretForm(write(text.slice(0, MAX_PREFIX_BYTES / 2)), 2 * text.length, false, () => write(text)),
  );
}
