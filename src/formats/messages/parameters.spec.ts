import { modalitiesOf } from './parameters.js';

const IMAGE = { type: 'image', source: { type: 'base64', data: 'AAAA', media_type: 'image/png' } };
const TEXT = { type: 'text', text: 'a' };
const PDF = { type: 'document', source: { type: 'base64', data: 'AAAA', media_type: 'application/pdf' } };
const document = (...content: readonly unknown[]): object => ({
  type: 'document',
  source: { type: 'content', content },
});
const result = (...content: readonly unknown[]): object => ({ type: 'tool_result', tool_use_id: 't', content });

describe('the input modalities of a request of /messages', () => {
  it.each<[string, unknown, string[]]>([
    ['a string', 'a', []],
    ['a text', [TEXT], []],
    ['a picture', [TEXT, IMAGE, IMAGE], ['image']],
    ['a picture in a tool result', [result(TEXT, IMAGE)], ['image']],
    ['a PDF document', [PDF], ['file']],
    ['a document by URL', [{ type: 'document', source: { type: 'url', url: 'https://x.example' } }], ['file']],
    ['a document without a source', [{ type: 'document' }], ['file']],
    ['a document of plain text', [{ type: 'document', source: { type: 'text', data: 'a' } }], []],
    ['a document whose content is a string', [{ type: 'document', source: { type: 'content', content: 'a' } }], []],
    ['a document of text blocks', [document(TEXT)], []],
    ['a document with a picture', [document(TEXT, IMAGE)], ['image']],
    ['a document with a picture in a tool result', [result(document(IMAGE))], ['image']],
    ['a picture and a PDF document', [PDF, document(IMAGE)], ['file', 'image']],
    ['values of other types', [null, 5, 'x', { type: 'document', source: null }], ['file']],
  ])('are determined for %s', (_, content, modalities) => {
    expect(modalitiesOf([{ role: 'user', content }])).toEqual(modalities);
  });
});
