import { Injectable } from '@nestjs/common';
import type { ArenaScore, Benchmarks, IndexScore } from '../../catalogue/benchmark.js';
import { Catalogue } from '../../catalogue/catalogue.js';
import { Config } from '../../config/config.js';
import { AnswerCache } from '../../http/answer-cache.js';
import { PreparedAnswer } from '../../http/prepared-answer.js';
import { invalidRequest } from '../../kernel/errors.js';
import type { BenchmarksRequest, TaskType } from './dto/benchmarks.request.dto.js';
import { toBenchmarksResponse, type FoundScore } from './benchmarks.wire.js';

/** Categories of the arenas that match a task, beside the one of its own name. */
const MATCHING: Readonly<Partial<Record<TaskType, readonly string[]>>> = { coding: ['codecategories'] };

/** The use cases of the group, in the order in which the API lists them. */
@Injectable()
export class BenchmarksService {
  readonly #answers = new AnswerCache();

  constructor(
    private readonly catalogue: Catalogue,
    private readonly config: Config,
  ) {
    catalogue.onSwap(() => this.#answers.clear());
  }

  list(asked: BenchmarksRequest): PreparedAnswer {
    refuseForeignParameters(asked);
    const { source, task_type, arena, category, max_results } = asked;
    return this.#answers.of(JSON.stringify([source, task_type, arena, category, max_results]), () => {
      const { snapshot } = this.catalogue;
      const found = scoresOf(snapshot.benchmarks, asked).slice(0, max_results);
      return PreparedAnswer.json(
        JSON.stringify(toBenchmarksResponse(found, asked, snapshot, this.config.values.WIRE_DIALECT)),
      );
    });
  }
}

/** Only the arena source knows arenas and categories. Without a source they narrow its part of the answer. */
function refuseForeignParameters({ source, arena, category }: BenchmarksRequest): void {
  if (source !== 'index-source') return;
  if (arena !== undefined)
    throw invalidRequest('arena belongs to the arena source: leave it out, or choose that source');
  if (category !== undefined)
    throw invalidRequest('category belongs to the arena source: leave it out, or choose that source');
}

function scoresOf({ index, arena }: Benchmarks, asked: BenchmarksRequest): FoundScore[] {
  return [
    ...(asked.source === 'arena-source' ? [] : indexScores(index?.scores ?? [], asked.task_type)),
    ...(asked.source === 'index-source' ? [] : arenaScores(arena?.scores ?? [], asked)),
  ];
}

/** Best first; who lacks the figure comes last, or not at all where it is the one that was asked for. */
function indexScores(scores: readonly IndexScore[], task: TaskType | undefined): FoundScore[] {
  const figure = (score: IndexScore): number => score[task ?? 'intelligence'] ?? Number.NEGATIVE_INFINITY;
  return scores
    .filter((score) => task === undefined || score[task] !== null)
    .toSorted((a, b) => (figure(a) === figure(b) ? byText(a.permaslug, b.permaslug) : figure(b) - figure(a)))
    .map((score) => ({ source: 'index-source', score }));
}

function arenaScores(scores: readonly ArenaScore[], asked: BenchmarksRequest): FoundScore[] {
  const arena = asked.arena ?? (asked.source === 'arena-source' ? 'models' : undefined);
  const matching = asked.task_type && [asked.task_type, ...(MATCHING[asked.task_type] ?? [])];
  return scores
    .filter(
      (score) =>
        (!arena || score.arena === arena) &&
        (!asked.category || score.category === asked.category) &&
        (!matching || matching.includes(score.category)),
    )
    .toSorted((a, b) => b.elo - a.elo || byText(a.permaslug, b.permaslug) || byText(a.category, b.category))
    .map((score) => ({ source: 'arena-source', score }));
}

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
