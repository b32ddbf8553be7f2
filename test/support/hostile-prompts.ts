/** Texts that try to become something else than text. Every row is one family. */
const MARKUP: readonly string[] = [
  '<script>alert(1)</script>', '</svg><script>alert(1)</script><svg>', '<svg onload="alert(1)">', '<img src=x onerror=alert(1)>', '<a href="javascript:alert(1)">x</a>',
  '<foreignObject><body onload="alert(1)"/></foreignObject>', '<use href="#x"/>', '<use xlink:href="http://127.0.0.1/x.svg#y"/>', '<image href="file:///etc/passwd"/>', '<style>@import url(http://127.0.0.1/);</style>',
  '<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]><svg>&x;</svg>', '<!ENTITY lol "lol">&lol;', '<?xml version="1.0"?>', '<?xml-stylesheet href="http://127.0.0.1/"?>', '<?php echo 1 ?>',
  ']]>', '<![CDATA[x]]>', ']]]]><![CDATA[>', '<!-- comment', '--> <script/>', '<!--[if IE]>', '<title>x</title>', '</title><script>1</script>', '</text><script>1</script>', '<text>',
  '" onload="alert(1)', "' onload='alert(1)", '"/><script>1</script>', "'/><script>1</script>", '"><', "'><", '><', '<', '>', '"', "'", '&', '&&', '&lt;script&gt;', '&#60;script&#62;', '&#x3c;script&#x3e;',
  '&amp;lt;', '&nbsp;', '&undefined;', '&#0;', '&#xffff;', '&#x110000;', '&#', '&;', '<animate attributeName="href" to="javascript:1"/>', '<set attributeName="onload" to="1"/>', '<math><mi//xlink:href="data:x,1">',
  'url(javascript:alert(1))', 'url(#a)', 'data:text/html,<script>1</script>', 'expression(alert(1))', '{{7*7}}', '${7*7}', '<%= 7*7 %>', '#{7*7}', '`id`', '$(id)', '; rm -rf /', '| cat /etc/passwd', '&& id',
  '../../../../etc/passwd', 'file:///etc/passwd', 'C:\\Windows\\System32', '\\\\server\\share', '%00', '%3Cscript%3E', '%s%s%s%n', '%x', "' OR '1'='1", "'; DROP TABLE keys; --", '1; SELECT pg_sleep(10)', '*', '?', '.*', '(', '[', '(a+)+$', '\\', '\\u0000', '\\x00',
  '__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'null', 'undefined', 'NaN', 'true', '0', '-1', '1e309', '-0', '[object Object]', '{"a":1}', '{"__proto__":{"x":1}}', '--help', '-o /tmp/x', '-t', '@file', '~', '#', '%',
];

const CODE_POINTS: readonly number[] = [
  0x00, 0x01, 0x07, 0x08, 0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x1a, 0x1b, 0x1f, 0x7f, 0x80, 0x85, 0x9f, 0xa0, 0xad, 0x34f, 0x61c, 0x115f, 0x1680, 0x180e, 0x2000, 0x200b, 0x200c, 0x200d, 0x200e, 0x200f, 0x2028, 0x2029,
  0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2060, 0x2061, 0x2066, 0x2067, 0x2068, 0x2069, 0x206a, 0x2800, 0x3000, 0x3164, 0xfdd0, 0xfe00, 0xfe0f, 0xfeff, 0xff00, 0xfff9, 0xfffa, 0xfffb, 0xfffc, 0xfffd, 0xfffe, 0xffff,
  0x1d173, 0x1f3fb, 0x1ffff, 0xe0001, 0xe0041, 0xe007f, 0xe0100, 0xf0000, 0x10fffd, 0x10ffff,
];

const SURROGATES: readonly string[] = ['\ud800', '\udbff', '\udc00', '\udfff', '\ud800\ud800', '\udc00\ud800', 'a\ud83d', '\ude00a', '\ud83d \ude00', '\ud800'.repeat(500)];

const SCRIPTS: readonly string[] = [
  'مرحبا بالعالم', 'שלום עולם', 'שלום abc 123 עולם', '\u202eabc\u202c', '\u2067abc\u2069 def', 'abc \u202e<script>\u202c', 'नमस्ते दुनिया', 'สวัสดีชาวโลก', '你好，世界', 'こんにちは世界', '안녕하세요 세계', 'ສະບາຍດີ', 'မင်္ဂလာပါ', 'გამარჯობა', 'Բարեւ', 'ሰላም', 'ᚠᛇᚻ', '𓀀𓁐', '𝕳𝖊𝖑𝖑𝖔', '😀', '👨‍👩‍👧‍👦', '🏳️‍🌈', '🇩🇪🇫🇷',
  '❤️‍🔥', '👍🏽', '1️⃣', '♥︎', 'Z̷̢̛͖͇̟̞͂̀̆̾a̸̡͎͓̼̞̽̄̈́l̵̨̞͕̪͒g̴͉̪̪̈́̀o̷̢̝͔̅̀', `a${'\u0301'.repeat(5000)}`, '\u0301'.repeat(100), 'ﷺ', '﷽', 'ǅ ﬁ ß ŉ İ ı', 'ΆΈΉΊΌΎΏ ΐ ΰ ς', 'Ṩ̈', 'e\u0301', '\u00e9', 'ｆｕｌｌ　ｗｉｄｔｈ', '⁄∕／', '‹›«»„“', '\u{1f468}\u200d'.repeat(200),
];

const LONG: readonly string[] = [
  'a'.repeat(100_000), 'word '.repeat(20_000), '<'.repeat(100_000), '&'.repeat(100_000), '<script>'.repeat(12_500), '😀'.repeat(50_000), '\u200b'.repeat(100_000), '\u202e'.repeat(100_000), ' '.repeat(100_000), '\u0000'.repeat(100_000),
  '日'.repeat(100_000), 'ا'.repeat(100_000), `${' '.repeat(99_999)}x`, `${'\u200b'.repeat(5_000)}late`, '\n'.repeat(100_000), 'a\u0301'.repeat(50_000), ']]>'.repeat(33_333), 'W'.repeat(91), `${'x'.repeat(89)}…`, '-'.repeat(100_000),
];

/** At least 200 distinct hostile texts, the same ones in the same order each time. None is empty. */
export function* hostilePrompts(): Generator<string> {
  yield* MARKUP;
  for (const codePoint of CODE_POINTS) {
    yield String.fromCodePoint(codePoint);
    yield `sea${String.fromCodePoint(codePoint)}<b>${String.fromCodePoint(codePoint)}side`;
  }
  yield* SURROGATES;
  yield* SCRIPTS;
  yield* LONG;
}
