import { SIGNS, UNICODE } from './hostile-characters.js';

export interface HostileText {
  /** The reason why it is hostile; distinct within the corpus. */
  readonly name: string;
  readonly text: string;
  /**
   * True if the text has nothing to speak, or more than 20,000 characters: 400 is expected. Otherwise audio is
   * expected.
   */
  readonly refused: boolean;
}

/** Texts that a command line of the synthesiser, a shell or a C program might interpret. */
const OPTIONS = [
  '-o /etc/passwd',
  '-o /tmp/pwned.wav',
  '--help',
  '-h',
  '--version',
  '-f /etc/passwd',
  '-f/etc/shadow',
  '-t hello',
  '-ssml',
  '--ssml <speak/>',
  '-voice kal',
  '-voice /etc/passwd',
  '-voicedir /',
  '-voicedump /tmp/x',
  '-lv',
  '-l',
  '-b 9',
  '-ps',
  '-pw',
  '-psdur',
  '-pr Token',
  '-add_lex /etc/passwd',
  '--setf duration_stretch=100',
  '--seti x=1',
  '--sets voice=x',
  '-s a=b',
  '-v',
  '-',
  '--',
  '---',
  '-- -o x',
  '-\u200bo x',
  '\u2014o x',
  '\u2212o x',
  '/o x',
  '@/etc/passwd',
  '@-',
  '< /etc/passwd',
  '> /tmp/pwned',
  '| cat /etc/passwd',
  '; rm -rf /',
  '&& reboot',
  '`id`',
  '$(id)',
  '${HOME}',
  '$PATH',
  '%PATH%',
  '!!',
  '\\',
  '\\\\server\\share',
  '/etc/passwd',
  '../../../../etc/passwd',
  '..\\..\\windows\\win.ini',
  'file:///etc/passwd',
  'http://169.254.169.254/latest/',
  '/s/t',
  '/s/w',
  '/dev/stdin',
  '/dev/zero',
  '/proc/self/environ',
  'C:\\CON',
  'NUL',
  'COM1',
  '.',
  '..',
  '~',
  '~root',
  'o.wav',
  'play',
  'none',
  'stream',
  "'",
  '"',
  "' OR '1'='1",
  "'; DROP TABLE generation; --",
  '{{7*7}}',
  '<%= 7*7 %>',
  '#{7*7}',
  '%s',
  '%n%n%n%n',
  '%x%x%x%x%p',
  '%99999999d',
  '%*.*f',
  '{0}',
  '\\x00',
  '\\u0000',
  '\\r\\n',
  '__proto__',
  'constructor',
  'undefined',
  'null',
  'NaN',
  '[object Object]',
  'true',
  '0',
  '-1',
  '1e309',
  '0x7fffffff',
  '99999999999999999999999999',
  '1/0',
  '-0',
] as const;

const MARKUP = [
  '<speak>hello</speak>',
  '<speak><audio src="file:///etc/passwd"/>hi</speak>',
  '<break time="100000s"/>',
  '<speak><break time="9h"/>',
  '<prosody rate="0.0001">slow</prosody>',
  '<voice name="kal">hi</voice>',
  '<phoneme ph="x"/>',
  '<sub alias="">x</sub>',
  '<speak',
  '</speak>',
  '<',
  '>',
  '<>',
  '<<<<',
  '&',
  '&amp;',
  '&lt;speak&gt;',
  '&#0;',
  '&#x0;',
  '&#xFFFFFFFF;',
  '&bogus;',
  '<!-- -->',
  '<![CDATA[x]]>',
  '<?xml version="1.0"?><speak/>',
  '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><x>&a;</x>',
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<svg/onload=alert(1)>',
  '[[inpt PHON]]',
  '(Utterance Text "x")',
  '(system "id")',
  '\u001b]0;x\u0007',
] as const;

/** Texts in which the text itself, a word, a sentence or a repetition is extremely long. */
const LONG: ReadonlyArray<readonly [string, () => string]> = [
  ['20,000 characters of prose', () => 'All work and no play makes Jack a dull boy. '.repeat(455).slice(0, 20_000)],
  ['20,000 letters without a space', () => 'a'.repeat(20_000)],
  ['20,000 full stops', () => '.'.repeat(20_000)],
  ['20,000 hyphens', () => '-'.repeat(20_000)],
  ['20,000 quotation marks', () => '"'.repeat(20_000)],
  ['20,000 emoji, twice as many UTF-16 units', () => '\u{1f600}'.repeat(20_000)],
  ['20,000 combining marks', () => `e${'\u0301'.repeat(19_999)}`],
  ['20,000 NULs', () => '\u0000'.repeat(20_000)],
  ['20,000 opening tags', () => '<'.repeat(20_000)],
  ['20,000 lone surrogates', () => '\ud800'.repeat(20_000)],
  ['spaces around one word', () => `${' '.repeat(9_999)}x${' '.repeat(9_999)}`],
  ['9,999 line breaks around one word', () => `${'\n'.repeat(9_999)}x${'\n'.repeat(9_999)}`],
  ['500 digits', () => '1234567890'.repeat(50)],
  ['300 dollar signs', () => '$'.repeat(300)],
  ['300 alternating currency signs and digits', () => '$1'.repeat(150)],
  ['a sentence of 3,000 characters', () => 'and so on '.repeat(300)],
  ['1,000 commas', () => 'a,'.repeat(1_000)],
  ['1,000 sentences of one letter', () => 'A. '.repeat(1_000)],
  ['500 consonants', () => 'bcdfghjklm'.repeat(50)],
  ['deeply nested brackets', () => `${'('.repeat(1_000)}x${')'.repeat(1_000)}`],
];

const REFUSED: ReadonlyArray<readonly [string, () => string]> = [
  ['nothing', () => ''],
  ['a space', () => ' '],
  ['white space of all kinds', () => '\t\n\r\u000b\u000c\u00a0\u2003\u3000\ufeff'],
  ['20,000 spaces', () => ' '.repeat(20_000)],
  ['20,001 characters', () => 'a'.repeat(20_001)],
  ['20,001 emoji', () => '\u{1f600}'.repeat(20_001)],
  ['100,000 characters', () => 'word '.repeat(20_000)],
  ['100,000 spaces and a word', () => `${' '.repeat(100_000)}x`],
];

/** More than 200 distinct texts that have broken speech services, or might. The strings are used unescaped. */
export function* hostileTexts(): Generator<HostileText> {
  const groups = { option: OPTIONS, markup: MARKUP, sign: SIGNS, unicode: UNICODE };
  for (const [group, texts] of Object.entries(groups)) {
    for (const text of texts) yield { name: `${group} ${escaped(text)}`, text, refused: text.trim() === '' };
  }
  for (const [name, make] of LONG) yield { name, text: make(), refused: false };
  for (const [name, make] of REFUSED) yield { name, text: make(), refused: true };
}

function escaped(text: string): string {
  return JSON.stringify(text).replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
