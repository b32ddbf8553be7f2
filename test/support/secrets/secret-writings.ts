/** One way in which a host may encode a secret. */
export interface Writing {
  readonly name: string;
  /** Undefined for values that cannot be encoded in this way. */
  readonly write: (value: string) => Buffer | undefined;
}

const utf8 = (text: string): Buffer => Buffer.from(text, 'utf8');
const text = (name: string, write: (value: string) => string): Writing => ({
  name,
  write: (value) => utf8(write(value)),
});
const json = (value: string): string => JSON.stringify(value).slice(1, -1);
const unicode = (char: string, upper = false): string =>
  Array.from({ length: char.length }, (_, at) => {
    const digits = char.charCodeAt(at).toString(16).padStart(4, '0');
    return `\\u${upper ? digits.toUpperCase() : digits}`;
  }).join('');
const percent = (byte: number, upper = true): string => {
  const digits = byte.toString(16).padStart(2, '0');
  return `%${upper ? digits.toUpperCase() : digits}`;
};
const eachByte = (value: string, write: (byte: number, at: number) => string): string =>
  [...utf8(value)].map(write).join('');
const eachChar = (value: string, write: (char: string, at: number) => string): string => [...value].map(write).join('');
export const NAMED: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};
const html = (value: string): string => value.replace(/[&<>"']/g, (char) => NAMED[char]!);
const base64 =
  (before: string, after: string) =>
  (value: string): string =>
    utf8(before + value + after).toString('base64');
const base64url =
  (before: string, after: string) =>
  (value: string): string =>
    utf8(before + value + after).toString('base64url');
const inLines = (encoded: string, length: number, end: string): string =>
  encoded.replace(new RegExp(`.{${length}}`, 'g'), `$&${end}`);
const isLatin1 = (value: string): boolean => [...value].every((char) => char.codePointAt(0)! <= 0xff);
/** HTML names of characters, in addition to the usual five. */
export const MORE_NAMED: Readonly<Record<string, string>> = {
  '/': '&sol;',
  '+': '&plus;',
  '=': '&equals;',
  _: '&lowbar;',
  '%': '&percnt;',
  '\\': '&bsol;',
  ':': '&colon;',
  '.': '&period;',
  '\n': '&NewLine;',
  ä: '&auml;',
  ö: '&ouml;',
  ÿ: '&yuml;',
  '£': '&pound;',
  µ: '&micro;',
  é: '&eacute;',
  '€': '&euro;',
};
const htmlNamed = (value: string): string =>
  value.replace(/[^A-Za-z0-9]/gu, (char) => NAMED[char] ?? MORE_NAMED[char] ?? char);
const hexPairs = (value: string, separator: string): string =>
  utf8(value).toString('hex').match(/../g)!.join(separator);
/** Text before and after a value, so that in base64 the value is in the middle of lines. */
const AROUND = ['The credentials are user:', ' and they must not be told to anybody at all.'] as const;

export const WRITINGS: readonly Writing[] = [
  text('as it is', (value) => value),
  { name: 'in Latin-1', write: (value) => (isLatin1(value) ? Buffer.from(value, 'latin1') : undefined) },
  text('in UTF-8 that was decoded as Latin-1', (value) => utf8(value).toString('latin1')),
  text('with CRLF as line endings', (value) => value.replace(/\r?\n/g, '\r\n')),
  text('in JSON', json),
  text('in JSON with escaped slashes', (value) => json(value).replaceAll('/', '\\/')),
  text('in JSON of ASCII only', (value) => eachChar(json(value), (char) => (char > '~' ? unicode(char) : char))),
  text('in JSON, every character escaped', (value) => eachChar(value, (char) => unicode(char))),
  text('in JSON, every character escaped in capitals', (value) => eachChar(value, (char) => unicode(char, true))),
  text('in JSON, every third character escaped', (value) =>
    eachChar(value, (char, at) => (at % 3 === 0 ? unicode(char) : json(char))),
  ),
  text('in JSON in JSON', (value) => json(json(value))),
  text('in JSON in JSON, slashes escaped each time', (value) =>
    json(json(value).replaceAll('/', '\\/')).replaceAll('/', '\\/'),
  ),
  text('as a JavaScript string', (value) =>
    eachChar(value, (char) => (char <= 'ÿ' ? `\\x${char.charCodeAt(0).toString(16).padStart(2, '0')}` : unicode(char))),
  ),
  text('as a part of a URL', encodeURIComponent),
  text('as a URL, in which some characters are not encoded', encodeURI),
  text('as a form', (value) => new URLSearchParams({ v: value }).toString().slice(2)),
  text('percent-encoded, every byte', (value) => eachByte(value, (byte) => percent(byte))),
  text('percent-encoded, every byte, in lower case', (value) => eachByte(value, (byte) => percent(byte, false))),
  {
    name: 'percent-encoded, every second byte',
    write: (value) =>
      Buffer.concat(
        [...utf8(value)].map((byte, at) => (at % 2 === 0 || byte === 0x25 ? utf8(percent(byte)) : Buffer.from([byte]))),
      ),
  },
  {
    name: 'percent-encoded in Latin-1',
    write: (value) =>
      isLatin1(value) ? utf8([...Buffer.from(value, 'latin1')].map((byte) => percent(byte)).join('')) : undefined,
  },
  text('as a part of a URL in a URL', (value) => encodeURIComponent(encodeURIComponent(value))),
  text('as a part of a URL in JSON', (value) => json(encodeURIComponent(value)).replaceAll('/', '\\/')),
  text('in JSON in a URL', (value) => encodeURIComponent(`{"v":"${json(value)}"}`)),
  text('in JSON in HTML', (value) => html(json(value))),
  text('in JSON in base64', (value) => base64('{"v":"', '"}')(json(value))),
  text('in JSON with escaped slashes in base64url', (value) =>
    base64url('{"sub":"', '"}')(json(value).replaceAll('/', '\\/')),
  ),
  text('in JSON of ASCII only, in base64url', (value) =>
    base64url('{"a":"', '"}')(eachChar(json(value), (char) => (char > '~' ? unicode(char) : char))),
  ),
  text('in JSON in hexadecimal', (value) => utf8(json(value)).toString('hex')),
  text('in HTML', html),
  text('in HTML, apostrophes by number', (value) =>
    html(value).replaceAll('&apos;', '&#39;').replaceAll('/', '&#x2F;'),
  ),
  text('in HTML, every character by its number', (value) => eachChar(value, (char) => `&#${char.codePointAt(0)};`)),
  text('in HTML, every character by its number in hexadecimal', (value) =>
    eachChar(value, (char) => `&#x${char.codePointAt(0)!.toString(16)};`),
  ),
  text('in HTML, every character by its number in capitals', (value) =>
    eachChar(value, (char) => `&#X${char.codePointAt(0)!.toString(16).toUpperCase()};`),
  ),
  text('in HTML, by numbers with leading zeros', (value) =>
    eachChar(value, (char) => `&#${String(char.codePointAt(0)).padStart(7, '0')};`),
  ),
  text('in HTML in JSON', (value) => json(html(value))),
  text('in HTML in HTML', (value) => html(html(value))),
  text('in HTML, by all names', htmlNamed),
  text('in HTML, by names without semicolons', (value) =>
    htmlNamed(value).replace(/(&[A-Za-z]+);(?![A-Za-z0-9;])/g, '$1'),
  ),
  text('in HTML, named in capitals', (value) =>
    html(value).replace(/&(amp|lt|gt|quot);/g, (entity) => entity.toUpperCase()),
  ),
  text('in HTML, by all names, in JSON with escaped slashes', (value) => json(htmlNamed(value)).replaceAll('/', '\\/')),
  text('in base64', base64('', '')),
  text('in base64 without padding', (value) => base64('', '')(value).replace(/=+$/, '')),
  text('in base64 with one byte before it', base64('a', '')),
  text('in base64 with two bytes before it', base64('a:', '')),
  text('in base64 with three bytes before it', base64('ab:', '')),
  text('in base64 as basic credentials', base64('user:', '')),
  text('in base64 with text on both sides', base64(...AROUND)),
  text('in base64 with text on both sides, a byte further', base64(` ${AROUND[0]}`, AROUND[1])),
  text('in base64 with text on both sides, two bytes further', base64(`  ${AROUND[0]}`, AROUND[1])),
  text('in base64url', base64url('', '')),
  text('in base64url with one byte before it', base64url('a', '')),
  text('in base64url with two bytes before it', base64url('a:', 'x')),
  text('in base64url with padding', (value) => base64('', '')(value).replaceAll('+', '-').replaceAll('/', '_')),
  text('in base64 in JSON with escaped slashes', (value) => base64('a', 'b')(value).replaceAll('/', '\\/')),
  text('in base64 in a URL', (value) => encodeURIComponent(base64('ab', '')(value))),
  text('in base64 in lines of 76', (value) => inLines(base64(...AROUND)(value), 76, '\r\n')),
  text('in base64 in lines of 20', (value) => inLines(base64(...AROUND)(value), 20, '\n')),
  text('in base64 in lines in JSON', (value) => json(inLines(base64(...AROUND)(value), 60, '\n'))),
  {
    name: 'in base64 of Latin-1',
    write: (value) => (isLatin1(value) ? utf8(Buffer.from(`user:${value}`, 'latin1').toString('base64')) : undefined),
  },
  text('in hexadecimal', (value) => utf8(value).toString('hex')),
  text('in hexadecimal in capitals', (value) => utf8(value).toString('hex').toUpperCase()),
  text('in hexadecimal with colons', (value) => hexPairs(value, ':')),
  text('in hexadecimal with spaces, in capitals', (value) => hexPairs(value, ' ').toUpperCase()),
  text('in hexadecimal in a URL', (value) => encodeURIComponent(hexPairs(value, ':'))),
  { name: 'in UTF-16', write: (value) => Buffer.from(value, 'utf16le') },
  { name: 'in UTF-16, big-endian', write: (value) => Buffer.from(value, 'utf16le').swap16() },
  text('in hexadecimal in lines', (value) => inLines(utf8(value).toString('hex'), 60, '\n')),
];

/** Values with characters that are special in escapes and alphabets. */
export const VALUES: readonly string[] = [
  'hunter',
  'sk-proj-9f_Zq+/xy=~w0rd',
  `p"a\\s<s>&'w/o%r d`,
  `looks%41like&amp;es\\u0041capes\\n`,
  'pässwörd-ÿ£µ',
  'ключ-пароль-🔑-密码-€',
  '-----BEGIN PRIVATE KEY-----\nMIIEvQ+/ab\ncd==\n-----END PRIVATE KEY-----',
  `${'abcdefghij+/=&"\\%é'.repeat(60)}!`,
];
