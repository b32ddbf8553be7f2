import { callerFacts, callerLabels } from './caller-facts.js';

it('the facts and the labels of a caller prefer X-OpenRouter-Title to X-Title, and HTTP-Referer to Referer', () => {
  const headers = {
    'x-title': 'second',
    'x-openrouter-title': 'first',
    referer: 'https://second.example',
    'http-referer': 'https://first.example',
  };
  expect(callerFacts(headers)).toMatchObject({ title: 'first', httpReferer: 'https://first.example' });
  expect(callerLabels(headers)).toEqual({ app: 'first', origin: 'https://first.example' });
});
