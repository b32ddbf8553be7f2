import { pythonOf, requestLines, type ShownRequest } from './request-lines';

const REQUEST: ShownRequest = {
  origin: 'http://localhost:3000',
  path: '/chat/completions',
  json: { model: 'author/model', stream: true, messages: [{ role: 'user', content: `It's "here" – \n ü` }] },
};

describe('the example code of a request', () => {
  it('for curl sends the body of the request, even if the prompt has quotes', () => {
    const { code } = requestLines(REQUEST)[0]!;
    const body = /-d '(.*)'$/s.exec(code)![1]!.replaceAll(String.raw`'\''`, "'");
    expect(JSON.parse(body)).toEqual(REQUEST.json);
  });

  it('for Python has the Python literals for true, false and null, and named parameters', () => {
    expect(pythonOf({ a: [true, false, null], b: {} })).toBe(
      '{\n    "a": [\n        True,\n        False,\n        None,\n    ],\n    "b": {},\n}',
    );
    const { code } = requestLines(REQUEST)[2]!;
    expect(code).toContain('client = OpenAI(base_url="http://localhost:3000/api/v1", api_key=os.environ["KEY"])');
    expect(code).toContain('    stream=True,\n    messages=[\n        {\n            "role": "user",');
  });

  it.each([
    ['/images', 'images.generate'],
    ['/audio/speech', 'audio.speech.create'],
  ] as const)('for the path %s calls the method %s of the client library', (path, method) => {
    for (const { code } of requestLines({ ...REQUEST, path }).slice(1)) expect(code).toContain(`client.${method}(`);
  });
});
