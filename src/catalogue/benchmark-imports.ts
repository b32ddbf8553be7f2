import { Injectable } from '@nestjs/common';
import { createHash } from 'node:crypto';
import type { InTransaction } from '../database/session-of.js';
import { invalidRequest } from '../kernel/errors/errors.js';
import type { BenchmarkSource } from './benchmark.js';
import { AN_INSTANT, anArenaScore, anIndexScore, anInstant } from './benchmarks/read-benchmarks.js';
import { aUrl, read } from './entries/schema.js';
import { readScores, type RawScore } from './import/benchmarks.format.js';
import { ImportFault } from './import/import-fault.js';
import { located } from './import/located-json.js';
import type { ImportRecord } from './import-record.js';
import { CatalogueStore } from './store/catalogue-store.js';

interface BenchmarkOrigin {
  readonly sourceUrl: string;
  /** The citation that the source requires. */
  readonly citation: string;
  /** ISO 8601 date on which the source published the scores. */
  readonly asOf: string;
}

interface BenchmarkOutcome {
  readonly source: BenchmarkSource;
  readonly scores: number;
}

/** Imports the scores of one benchmark source and replaces its earlier scores. */
@Injectable()
export class BenchmarkImports {
  constructor(private readonly store: CatalogueStore) {}

  /**
   * Imports a file in one transaction, in which `inTransaction` is called too. Throws ImportFault with the line of an
   * invalid score, and invalid_request for an invalid origin; nothing is then changed.
   */
  async import(
    text: string,
    origin: BenchmarkOrigin,
    { dryRun = false }: { readonly dryRun?: boolean } = {},
    inTransaction?: InTransaction<ImportRecord>,
  ): Promise<BenchmarkOutcome> {
    assertOrigin(origin);
    const scores = readScores(text);
    const [first] = scores;
    if (!first) throw new ImportFault(1, 'holds no scores');
    for (const score of scores) check(score, first.source);
    const outcome = { source: first.source, scores: scores.length };
    if (dryRun) return outcome;
    const digest = createHash('sha256').update(text).digest('hex');
    const set = {
      as_of: origin.asOf,
      citation: origin.citation,
      source_url: origin.sourceUrl,
      scores: scores.map(({ members }) => members),
    };
    await this.store.importing(
      { kind: 'benchmarks', format: first.source, digest, entries: scores.length },
      (session) => session.writeBenchmarks(first.source, set),
      inTransaction,
    );
    return outcome;
  }
}

function assertOrigin({ sourceUrl, citation, asOf }: BenchmarkOrigin): void {
  const refused = (reason: string): Error => invalidRequest(`${reason}. Nothing was imported.`);
  if (!aUrl.safeParse(sourceUrl).success) throw refused('--source-url must be a URL');
  if (!anInstant.safeParse(asOf).success) throw refused(`--as-of must be ${AN_INSTANT}`);
  if (citation.trim() === '') throw refused('--citation is empty');
}

/** A file must contain only one source, because an import has one citation and one source URL. */
function check({ source, members, line }: RawScore, expected: BenchmarkSource): void {
  if (source !== expected)
    throw new ImportFault(
      line(['source']),
      `has the source ${source}, but the first score in the file has ${expected}: import each source from ` +
        'a separate file',
    );
  located(() => read(source === 'index-source' ? anIndexScore : anArenaScore, members), line);
}
