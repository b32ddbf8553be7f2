import { Injectable } from '@nestjs/common';
import type { ArenaScore, Benchmarks, IndexScore } from '../../catalogue/benchmark.js';
import { Catalogue } from '../../catalogue/catalogue.js';
import { Config } from '../../config/config.js';
import { BodyCache } from '../../http/reply/body-cache.js';
import { PreparedBody } from '../../http/reply/prepared-body.js';
import { invalidRequest } from '../../kernel/errors/errors.js';
import type { BenchmarksRequest, TaskType } from './dto/benchmarks.request.dto.js';
import { toBenchmarksResponse, type FoundScore } from './benchmarks.wire.js';

/** The arena categories that match a task type, in addition to the category with the name of the task type. */
const MATCHING: Readonly<Partial<Record<TaskType, readonly string[]>>> = { coding: ['codecategories'] };

/** Implements the operations of this API group, in the order of the specification. */
@Injectable()
export class BenchmarksService {
  readonly #responses = new BodyCache();

  constructor(
    private readonly catalogue: Catalogue,
    private readonly config: Config,
  ) {
    catalogue.onSwap(() => this.#responses.clear());
  }

  list(request: BenchmarksRequest): PreparedBody {
    refuseForeignParameters(request);
    const { source, task_type, arena, category, max_results } = request;
    return this.#responses.of(JSON.stringify([source, task_type, arena, category, max_results]), () => {
      const { snapshot } = this.catalogue;
      const found = scoresOf(snapshot.benchmarks, request).slice(0, max_results);
      return PreparedBody.json(
        JSON.stringify(toBenchmarksResponse(found, request, snapshot, this.config.values.WIRE_DIALECT)),
      );
    });
  }
}

/**
 * Throws invalid_request if `arena` or `category` is set for the index source. Without a source, these parameters
 * filter only the arena scores.
 */
function refuseForeignParameters(request: BenchmarksRequest): void {
  if (request.source !== 'index-source') return;
  for (const name of ['arena', 'category'] as const)
    if (request[name] !== undefined)
      throw invalidRequest(`${name} belongs to the arena source: leave it out, or choose that source`);
}

function scoresOf({ index, arena }: Benchmarks, request: BenchmarksRequest): FoundScore[] {
  return [
    ...(request.source === 'arena-source' ? [] : indexScores(index?.scores ?? [], request.task_type)),
    ...(request.source === 'index-source' ? [] : arenaScores(arena?.scores ?? [], request)),
  ];
}

/** Best first. A model without a score is last; with `task` it is omitted. */
function indexScores(scores: readonly IndexScore[], task: TaskType | undefined): FoundScore[] {
  const figure = (score: IndexScore): number => score[task ?? 'intelligence'] ?? Number.NEGATIVE_INFINITY;
  return scores
    .filter((score) => task === undefined || score[task] !== null)
    .toSorted((a, b) => (figure(a) === figure(b) ? byText(a.permaslug, b.permaslug) : figure(b) - figure(a)))
    .map((score) => ({ source: 'index-source', score }));
}

function arenaScores(scores: readonly ArenaScore[], request: BenchmarksRequest): FoundScore[] {
  const arena = request.arena ?? (request.source === 'arena-source' ? 'models' : undefined);
  const matching = request.task_type && [request.task_type, ...(MATCHING[request.task_type] ?? [])];
  return scores
    .filter(
      (score) =>
        (!arena || score.arena === arena) &&
        (!request.category || score.category === request.category) &&
        (!matching || matching.includes(score.category)),
    )
    .toSorted((a, b) => b.elo - a.elo || byText(a.permaslug, b.permaslug) || byText(a.category, b.category))
    .map((score) => ({ source: 'arena-source', score }));
}

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
