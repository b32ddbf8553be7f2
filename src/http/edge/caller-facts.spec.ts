import { callerFacts, callerLabels } from './caller-facts.js';

it('the facts and labels of a caller use X-OpenRouter-Title before X-Title, and HTTP-Referer before Referer', () => {
  const headers = {
    'x-title': 'second',
    'x-openrouter-title': 'first',
    referer: 'https://second.example',
    'http-referer': 'https://first.example',
  };
  expect(callerFacts(headers)).toMatchObject({ title: 'first', httpReferer: 'https://first.example' });
  expect(callerLabels(headers)).toEqual({ app: 'first', origin: 'https://first.example' });
});
