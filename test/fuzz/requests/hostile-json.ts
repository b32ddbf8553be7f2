/** Slightly less than the maximum number of values in a body, to allow for other members of the body. */
const MAX_VALUES = 199_900;
export const MAX_OBJECTS = 16_300;

/** Generates a JSON text of about `size` bytes. */
type Value = (size: number) => string;

export const many = (size: number, item: (index: number) => string, most = MAX_VALUES): string => {
  const items: string[] = [];
  for (let length = 0, index = 0; length < size && index < most; index++) {
    const next = item(index);
    length += next.length + 1;
    items.push(next);
  }
  return items.join(',');
};
const text = (unit: string, size: number): string =>
  `"${unit.repeat(Math.max(0, Math.floor((size - 2) / Buffer.byteLength(unit))))}"`;
const short = (index: number): string => `k${index.toString(36)}`;

/**
 * Values that take more than linear time in a careless implementation: wide, deep or long values, and lists of objects
 * with different shapes.
 */
export const HOSTILE_VALUES: Readonly<Record<string, Value>> = {
  'a long text': (size) => text('a', size),
  'a text of escapes': (size) => text('\\n', size),
  'a text of escaped letters': (size) => text('\\u00e9', size),
  'a text of backslashes': (size) => text('\\\\', size),
  'a text of quotes': (size) => text('\\"', size),
  'a text of emoji': (size) => text('\u{1F600}', size),
  'a text of variation selectors': (size) => text('\u{FE0F}', size),
  'a text of Chinese': (size) => text('\u4e00', size),
  'a text of spaces': (size) => text(' ', size),
  'a text of names of secrets': (size) => text('authorization: token=', size),
  'a text of beginnings of keys': (size) => text('-----BEGIN PRIVATE KEY-----', size),
  'a data URL': (size) => `"data:image/png;base64,${'A'.repeat(Math.max(0, size - 30))}"`,
  'a data URL that is wrong at its end': (size) => `"data:image/png;base64,${'A'.repeat(Math.max(0, size - 30))}!"`,
  'a long number': (size) => '1'.repeat(Math.max(1, size)),
  'numbers of 10,000 digits': (size) => `[${many(size, () => '1'.repeat(10_000))}]`,
  'fractions of 10,000 digits': (size) => `[${many(size, () => `0.${'1'.repeat(10_000)}`)}]`,
  'a list of numbers': (size) => `[${many(size, String)}]`,
  'a list of texts': (size) => `[${many(size, (index) => `"${short(index)}"`)}]`,
  'a list of long texts': (size) => `[${many(size, (index) => `"${short(index)}${'a'.repeat(2_000)}"`)}]`,
  'a list of empty objects': (size) => `[${many(size, () => '{}', MAX_OBJECTS)}]`,
  'a list of lists': (size) => `[${many(size, () => '[]')}]`,
  'a list of objects, each of another shape': (size) =>
    `[${many(size, (index) => `{"${short(index)}":1}`, MAX_OBJECTS)}]`,
  'a list of objects of 99 members': (size) =>
    `[${many(size, (index) => `{${many(5_000, (member) => `"${short(index)}${member}":1`, 99)}}`, 1_990)}]`,
  'a wide object': (size) => `{${many(size, (index) => `"${short(index)}":1`)}}`,
  'a wide object with numbers for names': (size) => `{${many(size, (index) => `"${index}":1`)}}`,
  'a wide object with far numbers for names': (size) =>
    `{${many(size, (index) => `"${(index * 20_011) % 4_294_967_000}":1`)}}`,
  'a wide object with escaped names': (size) => `{${many(size, (index) => `"\\u0061${index}":1`)}}`,
  'a wide object with long names': (size) => `{${many(size, (index) => `"${index}${'k'.repeat(3_000)}":1`)}}`,
  'one name again and again': (size) => `{${many(size, () => '"a":1')}}`,
  'one name with objects again and again': (size) => `{${many(size, () => '"a":{}', MAX_OBJECTS)}}`,
  'lists 50 deep, side by side': (size) => `[${many(size, () => '['.repeat(50) + ']'.repeat(50), 3_900)}]`,
  'objects 50 deep, side by side': (size) => `[${many(size, () => `${'{"a":'.repeat(50)}1${'}'.repeat(50)}`, 320)}]`,
};

/** Whole bodies of about `size` bytes. */
export const HOSTILE_BODIES: Readonly<Record<string, Value>> = {
  'more empty objects than are allowed': (size) => `{"a":[${'{},'.repeat(size / 3)}{}]}`,
  'more members than are allowed': (size) => `{${many(size, (index) => `"${index}":1`, Infinity)}}`,
  'more numbers than are allowed': (size) => `{"a":[${'1,'.repeat(size / 2)}1]}`,
  'lists that are never closed': (size) => `{"a":${'['.repeat(size)}`,
  'objects that are never closed': (size) => '{"a":'.repeat(size / 5),
  'a text that is never closed': (size) => `{"a":"${'a'.repeat(size)}`,
  'a text that ends in a backslash': (size) => `{"a":"${'\\'.repeat(size)}`,
  'white space': (size) => `{${' '.repeat(size)}}`,
  commas: (size) => `{${','.repeat(size)}}`,
  'brackets closed and never opened': (size) => `{"a":1}${']'.repeat(size)}`,
  letters: (size) => 'a'.repeat(size),
  zeros: (size) => `{"a":${'0'.repeat(size)}}`,
  'a bad end': (size) => `{"a":[${many(size, String)}],}`,
};

/** Queries of at most about 15 KB, because Node limits the head of a request. */
export const hostileQueries = (names: readonly string[]): Readonly<Record<string, string>> => {
  const [name = 'a'] = names;
  const fill = (unit: string): string => unit.repeat(Math.floor(15_000 / unit.length));
  const each = (make: (name: string) => string): string => names.map(make).join('&').slice(0, 15_000);
  return {
    'thousands of parameters': Array.from({ length: 2_000 }, (_, index) => `k${index}=1`)
      .join('&')
      .slice(0, 15_000),
    'one parameter thousands of times': fill(`${name}=1&`),
    'every parameter twice': each((known) => `${known}=1&${known}=1`),
    'nested brackets': `${name}${'[a]'.repeat(4_000)}=1`,
    'many indexes': fill(`${name}[9999]=1&`),
    commas: `${name}=${fill(',')}`,
    'a list of many': each((known) => `${known}=${fill('a,').slice(0, Math.floor(14_000 / names.length))}`),
    'many digits': each((known) => `${known}=${fill('1').slice(0, Math.floor(14_000 / names.length))}`),
    escapes: `${name}=${fill('%20')}`,
    'broken escapes': `${name}=${fill('%zz')}`,
    'plus signs': `${name}=${fill('+')}`,
    ampersands: fill('&'),
    'equals signs': fill('='),
  };
};
