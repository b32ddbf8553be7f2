import { retryAfterOf } from './retry-after.js';

describe('the wait before the next request to a vendor', () => {
  it.each([
    ['retry-after as it is', { 'retry-after': '7', 'x-ratelimit-reset-tokens': '60s' }, '7'],
    ['a reset in seconds', { 'x-ratelimit-reset-requests': '1s' }, '1'],
    ['a reset of minutes and seconds, rounded up', { 'x-ratelimit-reset-requests': '2m59.56s' }, '180'],
    ['a reset in milliseconds', { 'x-ratelimit-reset-tokens': '250ms' }, '1'],
    ['a reset with hours', { 'x-ratelimit-reset-tokens': '1h0m2s' }, '3602'],
    ['a plain number', { 'x-ratelimit-reset-tokens': '12' }, '12'],
    ['the latest of several resets', { 'x-ratelimit-reset-requests': '3s', 'x-ratelimit-reset-tokens': '6m0s' }, '360'],
    [
      'the reset of the exhausted limit',
      {
        'x-ratelimit-reset-requests': '3s',
        'x-ratelimit-remaining-requests': '0',
        'x-ratelimit-reset-tokens': '6m0s',
        'x-ratelimit-remaining-tokens': '9',
      },
      '3',
    ],
    ['nothing for a point in time', { 'x-ratelimit-reset-tokens': '1790000000' }, undefined],
    ['nothing for a value that cannot be read', { 'x-ratelimit-reset-tokens': 'soon' }, undefined],
    ['nothing if the vendor sends no header', {}, undefined],
  ])('is %s', (_, headers, wait) => {
    expect(retryAfterOf(headers)).toBe(wait);
  });
});
