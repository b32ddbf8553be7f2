import { LONG_TESTS } from '../../../test/support/long-tests.js';
import {
  BudgetModel,
  randomBudget,
  randomValue,
  type ModelBudget,
  type ModelCall,
} from '../../../test/support/money/budget-model.js';
import { budgetSums, insertBudget } from '../../../test/support/money/budget-rows.js';
import type { LeaseService } from '../../../test/support/money/lease-service.js';
import { LeaseStage, PLENTY, type PayerNos } from '../../../test/support/money/lease-stage.js';
import { RandomNumbers } from '../../../test/support/random-numbers.js';
import { SetClock } from '../../../test/support/services/test-service.js';

const HIERARCHIES = LONG_TESTS ? 200 : 12;
const CALLS = 100;
/** The last day of a month and of a week, 30 s before midnight. */
const START = Date.parse('2027-01-31T23:59:30Z');

interface OpenModelCall {
  readonly call: ModelCall;
  readonly end: (price: bigint) => Promise<void>;
}

describe('random hierarchies of budgets', () => {
  let stage: LeaseStage;
  beforeAll(async () => {
    stage = await LeaseStage.open();
  });
  afterAll(() => stage.close());

  it(`give the same results as a model in memory (${HIERARCHIES} hierarchies, ${CALLS} calls each)`, async () => {
    const random = new RandomNumbers(20_261_133);
    const outcomes = { reserved: 0, exceeded: 0, insufficient: 0 };
    for (let round = 0; round < HIERARCHIES; round++) {
      const of = await stage.payer(PLENTY);
      const budgets: ModelBudget[] = [];
      const seen = new Set<string>();
      const count = random.int(1, 6);
      while (budgets.length < count) {
        const columns = randomBudget(random);
        const identity = JSON.stringify([columns.scope, columns.each, columns.interval]);
        if (seen.has(identity)) continue;
        seen.add(identity);
        budgets.push({ ...columns, no: await insertBudget(stage.sql, of[0], columns) } as ModelBudget);
      }
      const clock = new SetClock(new Date(START));
      const service = await stage.start({ clock });
      const model = new BudgetModel(budgets);
      const open: OpenModelCall[] = [];
      for (let made = 0; made < CALLS; made++) {
        clock.set(new Date(clock.now().getTime() + random.int(0, 1_000)));
        const opened = await begin(service, of, model, randomCall(random, clock.now()));
        if (typeof opened === 'object') open.push(opened);
        outcomes[typeof opened === 'object' ? 'reserved' : opened]++;
        while (open.length > random.int(0, 6))
          await open.splice(random.int(0, open.length - 1), 1)[0]!.end(BigInt(random.int(0, 30)));
      }
      for (const { end } of open) await end(7n);
      await stage.settle();

      for (const budget of budgets) expect(await budgetSums(stage.sql, budget.no)).toEqual(model.sumsOf(budget));
    }
    expect(Math.min(...Object.values(outcomes))).toBeGreaterThan(CALLS / 4);
  }, 600_000);

  /** Makes a call, which must be reserved or refused as in the model. */
  async function begin(
    service: LeaseService,
    of: PayerNos,
    model: BudgetModel,
    call: ModelCall,
  ): Promise<OpenModelCall | 'exceeded' | 'insufficient'> {
    const refused = model.reserve(call);
    const started = Promise.withResolvers<'started'>();
    const ended = Promise.withResolvers<bigint>();
    let price = 0n;
    const outcome = service.call(...of, {
      worstCase: call.worstCase,
      price: () => price,
      source: call.isOwn ? 'own_credential' : 'platform',
      model: call.model as string,
      subject: {
        workspaceNo: call.workspace as number,
        creatorUserId: call.user as string,
        endUser: call.end_user as string,
        session: call.session as string,
        tags: call.tag as string[],
      },
      during: () => {
        started.resolve('started');
        return ended.promise;
      },
    });
    const first = await Promise.race([started.promise, outcome]);
    if (refused) {
      const { budget, left } = refused;
      expect(first.toLowerCase()).toContain(` ${budget.interval} budget of $`);
      expect(first.includes('exceeded')).toBe(left <= 0n);
      return left <= 0n ? 'exceeded' : 'insufficient';
    }
    expect(first).toBe('started');
    return {
      call,
      end: async (paid) => {
        price = paid;
        model.settle(call, paid);
        ended.resolve(paid);
        expect(await outcome).toBe('done');
      },
    };
  }
});

function randomCall(random: RandomNumbers, at: Date): ModelCall {
  return {
    workspace: randomValue(random, 'workspace'),
    user: randomValue(random, 'user'),
    end_user: random.chance(0.8) ? randomValue(random, 'end_user') : undefined,
    session: random.chance(0.5) ? randomValue(random, 'session') : undefined,
    tag: [1, 2].filter(() => random.chance(0.4)).map((tag) => `tag ${tag}`),
    model: randomValue(random, 'model'),
    worstCase: BigInt(random.int(1, 60)),
    isOwn: random.chance(0.15),
    at,
  };
}
