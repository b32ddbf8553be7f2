export interface HostileText {
  /** What makes it hostile; distinct within the corpus. */
  readonly name: string;
  readonly text: string;
  /** Nothing to speak, or more than 20,000 characters: to be answered 400. All others are to be answered with audio. */
  readonly refused: boolean;
}

/** What a command line of the synthesiser, of a shell or of a C program might take for something else than text. */
const OPTIONS = [
  '-o /etc/passwd', '-o /tmp/pwned.wav', '--help', '-h', '--version', '-f /etc/passwd', '-f/etc/shadow', '-t hello', '-ssml',
  '--ssml <speak/>', '-voice kal', '-voice /etc/passwd', '-voicedir /', '-voicedump /tmp/x', '-lv', '-l', '-b 9', '-ps', '-pw',
  '-psdur', '-pr Token', '-add_lex /etc/passwd', '--setf duration_stretch=100', '--seti x=1', '--sets voice=x', '-s a=b', '-v', '-',
  '--', '---', '-- -o x', '-\u200bo x', '\u2014o x', '\u2212o x', '/o x', '@/etc/passwd', '@-', '< /etc/passwd', '> /tmp/pwned',
  '| cat /etc/passwd', '; rm -rf /', '&& reboot', '`id`', '$(id)', '${HOME}', '$PATH', '%PATH%', '!!', '\\', '\\\\server\\share',
  '/etc/passwd', '../../../../etc/passwd', '..\\..\\windows\\win.ini', 'file:///etc/passwd', 'http://169.254.169.254/latest/',
  '/s/t', '/s/w', '/dev/stdin', '/dev/zero', '/proc/self/environ', 'C:\\CON', 'NUL', 'COM1', '.', '..', '~', '~root', 'o.wav',
  'play', 'none', 'stream', "'", '"', "' OR '1'='1", "'; DROP TABLE generation; --", '{{7*7}}', '<%= 7*7 %>', '#{7*7}',
  '%s', '%n%n%n%n', '%x%x%x%x%p', '%99999999d', '%*.*f', '{0}', '\\x00', '\\u0000', '\\r\\n', '__proto__', 'constructor',
  'undefined', 'null', 'NaN', '[object Object]', 'true', '0', '-1', '1e309', '0x7fffffff', '99999999999999999999999999', '1/0', '-0',
] as const;

const MARKUP = [
  '<speak>hello</speak>', '<speak><audio src="file:///etc/passwd"/>hi</speak>', '<break time="100000s"/>', '<speak><break time="9h"/>',
  '<prosody rate="0.0001">slow</prosody>', '<voice name="kal">hi</voice>', '<phoneme ph="x"/>', '<sub alias="">x</sub>', '<speak',
  '</speak>', '<', '>', '<>', '<<<<', '&', '&amp;', '&lt;speak&gt;', '&#0;', '&#x0;', '&#xFFFFFFFF;', '&bogus;', '<!-- -->', '<![CDATA[x]]>',
  '<?xml version="1.0"?><speak/>', '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><x>&a;</x>', '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>', '<svg/onload=alert(1)>', '[[inpt PHON]]', '(Utterance Text "x")', '(system "id")', '\u001b]0;x\u0007',
] as const;

const SIGNS = [
  '!', '?', '...', '?!?!?!', ',', ';', ':', '()', '[]', '{}', '"" ""', '- - -', '$', '$$$', '%', '#', '*', '+', '=', '==', '@', '^', '_', '|',
  '/', '\u20ac5', '\u00a35.50', '\u00a51,000', '$1,234,567.89', '\u00bd \u00be \u2153', '\u2460\u2461\u2462', '\u2122 \u00ae \u00a9', '1\u20442', '10\u00b0C',
  '3/4/2020', '10:30pm', '25:61', '1-800-555-0100', '192.168.0.1', 'a.b.c.d.e.f', 'I. V. X. L. C. D. M.', 'MCMLXXXIV', 'A.', 'Dr.', 'e.g.',
] as const;

const UNICODE = [
  '\u0645\u0631\u062d\u0628\u0627 \u0628\u0627\u0644\u0639\u0627\u0644\u0645', '\u05e9\u05dc\u05d5\u05dd \u05e2\u05d5\u05dc\u05dd', '\u4f60\u597d\uff0c\u4e16\u754c\u3002', '\u65e5\u672c\u8a9e\u3067\u8a71\u3059', '\ud55c\uad6d\uc5b4', '\u041f\u0440\u0438\u0432\u0435\u0442', '\u0393\u03b5\u03b9\u03ac', '\u0e2a\u0e27\u0e31\u0e2a\u0e14\u0e35',
  '\u0928\u092e\u0938\u094d\u0924\u0947', '\u{1f600}', '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}\u200d\u{1f466}', '\u{1f1e9}\u{1f1ea}', '\u2764\ufe0f', '\u{1f44d}\u{1f3ff}', 'hi \u{1f600} there', '\u202eevil\u202c', '\u2066x\u2069',
  'e\u0301', 'Z\u0351\u036b\u0343\u0363\u0310a\u0346\u0300l\u034c\u0358g\u034a\u0327o\u0301\u0338', '\u0301', 'caf\u00e9', 'na\u00efve \u0153uvre', '\ufb01ne \ufb02ow', '\uff28\uff45\uff4c\uff4c\uff4f', '\u{1d573}\u{1d58a}\u{1d591}\u{1d591}\u{1d594}', '\ufdfa', '\u33af',
  '\u200b', 'zero\u200bwidth', '\u00ad', '\u2060', '\u180e', '\ud800', 'a\udfffb', '\udc00\ud800', '\ufffd', '\uffff', '\u{10ffff}', '\u{f0000}', '\u2028', 'line\u2028line', '\u0085', '\u001f', '\u007f',
  '\u0000', 'nul\u0000inside', '\u0000-o x', '\u0001\u0002\u0003', '\u0008\u0008\u0008', '\u001b[31mred', '\u009b31m', '\u001a', 'a\u0004b', '\r\r\rx', 'a\rb', 'a\r\n\r\nb', '\ta\tb\t', '\u000b\u000cx',
] as const;

/** Texts whose length, or the length of one word or sentence of theirs, is the trouble. */
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
  ['300 currency signs and digits in turn', () => '$1'.repeat(150)],
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

/** More than 200 distinct texts that have broken speech services, or might. The strings stay as they are, unescaped. */
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
