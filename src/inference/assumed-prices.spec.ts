import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { aModel, anEndpoint } from '../../test/support/catalogue/catalogue-builder.js';
import { AssumedModels } from '../catalogue/assumed-models.js';
import { Metrics } from '../telemetry/metrics.js';
import { AssumedPrices } from './assumed-prices.js';
import type { PlannedEndpoint } from './task.js';

describe('calls at assumed prices', () => {
  it('cause one warning per model, with the command that sets the price of the model', () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    try {
      const endpoint = anEndpoint('openai', { adapter: 'a', tokenPrices: { prompt: '1', completion: '2' } });
      const known = aModel('openai/gpt-1', { endpoints: [{ ...endpoint, upstreamModel: 'gpt-1' }] });
      const prices = new AssumedPrices(new Metrics());
      for (const name of ['gpt-6', 'gpt-6', 'gpt-7']) {
        const model = new AssumedModels([known]).find(name)!;
        prices.report({ model: model.id, endpoint: model.endpoints[0]! } as PlannedEndpoint);
      }
      expect(warn.mock.calls.map(([line]) => String(line))).toEqual([
        expect.stringMatching(
          /^Model openai\/gpt-6 .* of gpt-\*\. .* operator models price set openai\/gpt-6 --prompt/,
        ),
        expect.stringMatching(/^Model openai\/gpt-7 /),
      ]);
    } finally {
      warn.mockRestore();
    }
  });
});
