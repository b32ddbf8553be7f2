/** HTML names of ASCII characters. */
const ASCII: Readonly<Record<string, string>> = {
  '\t': 'Tab',
  '\n': 'NewLine',
  '!': 'excl',
  '"': 'quot QUOT',
  '#': 'num',
  $: 'dollar',
  '%': 'percnt',
  '&': 'amp AMP',
  "'": 'apos',
  '(': 'lpar',
  ')': 'rpar',
  '*': 'ast midast',
  '+': 'plus',
  ',': 'comma',
  '.': 'period',
  '/': 'sol',
  ':': 'colon',
  ';': 'semi',
  '<': 'lt LT',
  '=': 'equals',
  '>': 'gt GT',
  '?': 'quest',
  '@': 'commat',
  '[': 'lsqb lbrack',
  '\\': 'bsol',
  ']': 'rsqb rbrack',
  '^': 'Hat',
  _: 'lowbar UnderBar',
  '`': 'grave',
  '{': 'lcub lbrace',
  '|': 'verbar vert',
  '}': 'rcub rbrace',
};

const FIRST_OF_LATIN_1 = 0xa0;
/** The HTML names of the characters from U+00A0 to U+00FF, in the order of the code points. */
const LATIN_1 =
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr ' +
  'deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest ' +
  'Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ' +
  'ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig ' +
  'agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml ' +
  'eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml';

/** The code points of HTML character names. The names are without ampersand and semicolon. */
export const HTML_NAMES: ReadonlyMap<string, number> = new Map([
  ...Object.entries({ ...ASCII, '€': 'euro' }).flatMap(([char, names]) =>
    names.split(' ').map((name) => [name, char.codePointAt(0)!] as const),
  ),
  ...LATIN_1.split(' ').map((name, at) => [name, FIRST_OF_LATIN_1 + at] as const),
]);

export const MAX_HTML_NAME_BYTES = Math.max(...[...HTML_NAMES.keys()].map((name) => name.length));
