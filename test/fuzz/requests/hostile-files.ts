/** Contents of uploads that are expensive for the detection of their type, or for the search for form boundaries. */
export const HOSTILE_FILES: Readonly<Record<string, string>> = {
  'opened lists': '[',
  'lists in lists': '[[],[]],',
  'opened objects': '{"a":',
  digits: '1',
  numbers: '1,',
  quotes: '"',
  'backslashes in a string': '"\\\\',
  'line ends': '\r\n',
  'beginnings of boundaries': '\r\n------formdata-undici-0',
  commas: ',',
  letters: 'a',
  Chinese: '\u4e00',
  'lines of JSON': '{"a":[1,2,{"b":null}]}\n',
};
