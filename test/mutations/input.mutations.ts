import type { Mutation } from './mutation.js';

export const INPUT: readonly Mutation[] = [
  {
    name: 'offset-beyond-the-integers-of-the-database',
    file: 'src/http/validation/query-value.decorators.ts',
    text: 'Math.max(-Number.MAX_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, Number(digits)))',
    replacement: 'Number(digits)',
    tests: ['test/e2e/byok/byok.e2e-spec.ts'],
  },
  {
    name: 'character-nul-stored',
    file: 'src/http/validation/is-text.decorator.ts',
    text: String.raw`if (text.includes('\0')) return 'must not contain the character NUL';`,
    replacement: '',
    tests: ['test/e2e/interns/interns-create-body.e2e-spec.ts'],
  },
  {
    name: 'lone-surrogate-stored',
    file: 'src/kernel/text/text.ts',
    text: String.raw`if (/\p{Cs}/u.test(text)) return 'must be well-formed Unicode';`,
    replacement: '',
    tests: ['src/kernel/text/text.spec.ts', 'test/e2e/keys/keys-create.e2e-spec.ts'],
  },
  {
    name: 'body-nested-without-bound',
    file: 'src/http/body/json/json-limits.ts',
    text: 'MAX_DEPTH = 64',
    replacement: 'MAX_DEPTH = 1_000_000',
    tests: ['src/http/body/json-body.spec.ts'],
  },
  {
    name: 'settlement-of-a-text-that-the-database-refuses',
    file: 'src/usage/generation-detail.ts',
    text: String.raw`.toWellFormed().replaceAll('\0', '')`,
    replacement: '',
    tests: ['src/usage/generation-detail.spec.ts'],
  },
  {
    name: 'lone-surrogate-of-a-filter-passed-to-the-store',
    file: 'src/usage/query/plan-filter.ts',
    text: String.raw`.replace(/\p{Surrogate}/gu, '\u{FFFD}')`,
    replacement: '',
    tests: ['test/contracts/duckdb-usage-reader.spec.ts'],
  },
  {
    name: 'path-that-cannot-be-decoded-passed-on',
    file: 'src/kernel/errors/undecodable-path.ts',
    text: '(request as Marked)[MARK] === true',
    replacement: '(request as Marked)[MARK] === false',
    tests: ['test/e2e/edge/edge-paths.e2e-spec.ts'],
  },
  {
    name: 'error-of-the-form-parser-not-caught',
    file: 'src/http/body/multipart/form-reader.ts',
    text: `    } catch {
      return this.fail(invalidRequest('The multipart body is malformed'));
    }
    if (!taken)`,
    replacement: `    } catch (error) {
      throw error;
    }
    if (!taken)`,
    tests: ['test/e2e/files/hostile-uploads.e2e-spec.ts'],
    missed: 'no form is known for which the present parser throws',
  },
  {
    name: 'list-of-a-body-without-bound',
    file: 'src/operations/analytics/dto/analytics-query.request.dto.ts',
    text: '  @ArrayMaxSize(20)\n',
    replacement: '',
    tests: ['test/contracts/body-dtos.spec.ts'],
  },
  {
    name: 'objects-of-a-body-without-bound',
    file: 'src/http/body/json/json-limits.ts',
    text: 'MAX_OBJECTS = 16_384',
    replacement: 'MAX_OBJECTS = 16_384_000',
    tests: ['src/http/body/json'],
  },
  {
    name: 'event-of-a-vendor-without-bound',
    file: 'src/providers/wire/event-lines.ts',
    text: 'if (lineBytes + this.#dataBytes > this.maxEventBytes)',
    replacement: 'if (lineBytes + this.#dataBytes > Infinity)',
    tests: ['src/providers/wire/event-lines.spec.ts'],
  },
  {
    name: 'negative-count-of-a-vendor-taken',
    file: 'src/formats/usage.ts',
    text: "!(value >= 0)) return 'invalid'",
    replacement: "Number.isNaN(value)) return 'invalid'",
    tests: ['src/inference/text/text-usage-judgement.spec.ts', 'src/inference/text/usage-prices.spec.ts'],
  },
];
