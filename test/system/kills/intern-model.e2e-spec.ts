import fc from 'fast-check';
import { randomUUID } from 'node:crypto';
import { Interns } from '../../../src/interns/interns.js';
import type { Actor } from '../../../src/interns/intern-record.js';
import { Endings } from '../../../src/interns/work/endings.js';
import { HeldInterns } from '../../../src/interns/work/held-interns.js';
import { LostLease, type Job } from '../../../src/interns/intern-record.js';
import { Provisioner } from '../../../src/interns/work/provisioner.js';
import { Teardown } from '../../../src/interns/work/teardown.js';
import { InternRows } from '../../../src/interns/intern-rows.js';
import { startInternsStage, type InternsStage } from '../../support/interns/interns-stage.js';
import { LIFECYCLE_MODEL } from '../../support/interns/lifecycle-model.js';

/** The number of random sequences. */
const SEQUENCES = process.env['LONG_TESTS'] ? 10_000 : 150;

const REQUESTS = ['provision', 'suspend', 'delete', 'update'] as const;
const REPORTS = ['booted', 'boot-failed', 'ended', 'torn-down', 'teardown-failed'] as const;
/** `take`: a worker looks for a job. `lapse`: the lease of the job expires. `late`: the deadline passes. */
const COMMANDS = [...REQUESTS, ...REPORTS, 'take', 'take', 'lapse', 'late'] as const;

type Command = (typeof COMMANDS)[number];
const isRequest = (command: Command): command is (typeof REQUESTS)[number] =>
  (REQUESTS as readonly string[]).includes(command);

/**
 * Compares the life cycle of an intern in the real database with a second implementation of the table in
 * docs/api-rules.md, section 10.
 */
describe('the life cycle of an intern compared with a model', () => {
  let stage: InternsStage;
  let actor: Actor;
  const room = <T>(type: abstract new (...args: never[]) => T): T => stage.app.get(type, { strict: false });
  beforeAll(async () => {
    stage = await startInternsStage({ env: { INTERN_RUNTIME: 'none' } });
    // Only the commands of this test may take an intern from the queue.
    await room(Provisioner).onModuleDestroy();
    const me = await stage.member();
    actor = {
      accountId: me.accountId,
      workspaceId: me.workspaceId,
      userId: me.userId,
      keyHash: '0'.repeat(64),
      keyNo: 1,
    };
  });
  afterAll(() => stage.stop());

  async function createIntern(status: string): Promise<string> {
    const id = randomUUID();
    await stage.sql.query('delete from intern');
    await stage.sql.query(
      `insert into intern (id, account_id, workspace_id, creator_user_id, name, status, loss_acknowledged, fence,
         attempts, wake_at, deadline, created_at, updated_at)
       values ($1, $2, $3, $4, 'ab', $5, false, 0, 0, case when $5 = 'queued' then now() end,
         case when $5 = 'queued' then now() + interval '1 hour' end, now(), now())`,
      [id, actor.accountId, actor.workspaceId, actor.userId, status],
    );
    return id;
  }
  const statusOf = async (id: string): Promise<string> =>
    (await stage.sql.query<{ status: string }>('select status from intern where id = $1', [id]))[0]?.status ?? 'gone';

  async function request(id: string, command: (typeof REQUESTS)[number]): Promise<'accepted' | 'busy' | 'unknown'> {
    const life = room(Interns);
    const asked = {
      provision: () => life.provision(actor, id),
      suspend: () => life.suspend(actor, id),
      delete: () => life.delete(actor, id, false),
      update: () => life.update(actor, id, { description: 'x' }),
    };
    return asked[command]().then(
      () => 'accepted',
      (error: { metadata: { reason: string } }) =>
        ({ intern_busy: 'busy', not_found: 'unknown' })[error.metadata.reason] as 'busy' | 'unknown',
    );
  }

  /** Reports an event of a job, like a worker that has not noticed that its lease expired. */
  async function report(job: Job, from: string, event: (typeof REPORTS)[number] | 'expired'): Promise<void> {
    if (event === 'booted') return room(InternRows).setRunning(job);
    if (event === 'torn-down') return room(Teardown).run(job, new AbortController().signal);
    return room(Endings).rest(room(HeldInterns).add(job, Date.now()), from as never, event, 'It did not work');
  }

  async function expectFollowed(first: string, commands: readonly Command[]): Promise<void> {
    const id = await createIntern(first);
    let status = first;
    /** The last job that a worker took. `mine`: the worker still holds the intern. */
    let job: { readonly taken: Job; mine: boolean } | undefined;
    for (const command of commands) {
      if (isRequest(command)) {
        const to = status === 'gone' ? 'unknown' : LIFECYCLE_MODEL[`${status} ${command}`];
        expect(await request(id, command)).toBe(to === 'unknown' ? 'unknown' : to === undefined ? 'busy' : 'accepted');
        if (to !== undefined && to !== 'same' && to !== 'unknown') {
          status = to;
          if (job) job.mine = false;
        }
      } else if (command === 'lapse')
        await stage.sql.query(
          "update intern set lease_until = clock_timestamp() - interval '1 second' where lease_until is not null",
        );
      else if (command === 'late')
        await stage.sql.query(
          "update intern set deadline = clock_timestamp() - interval '1 second' where deadline is not null",
        );
      else if (command === 'take') {
        const [taken] = await room(InternRows).take(1);
        if (taken) {
          job = { taken, mine: true };
          expect(taken.status).toBe(status);
          if (taken.isPastDeadline && LIFECYCLE_MODEL[`${status} expired`]) {
            await report(taken, status, 'expired');
            status = LIFECYCLE_MODEL[`${status} expired`]!;
            job.mine = false;
          } else if (status === 'queued') {
            await room(InternRows).startProvisioning(taken);
            status = LIFECYCLE_MODEL['queued taken']!;
          }
        }
      } else if (job && !job.mine) {
        // The worker stalled and continued after it lost the intern, so its reports change nothing.
        const from =
          command === 'ended'
            ? 'running'
            : command === 'torn-down' || command === 'teardown-failed'
              ? 'destroying'
              : 'provisioning';
        await expect(report(job.taken, from, command)).rejects.toThrow(LostLease);
      } else if (job && LIFECYCLE_MODEL[`${status} ${command}`]) {
        await report(job.taken, status, command);
        status = LIFECYCLE_MODEL[`${status} ${command}`]!;
        // A booted intern stays with its worker. Every other report ends the job.
        if (command !== 'booted') job.mine = false;
      }
      expect(await statusOf(id)).toBe(status);
    }
  }

  it(`makes no transition outside the table in ${SEQUENCES} runs of requests, reports and expired leases`, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('queued', 'stopped', 'awaiting_chat_install'),
        fc.array(fc.constantFrom(...COMMANDS), { minLength: 1, maxLength: 14 }),
        expectFollowed,
      ),
      { numRuns: SEQUENCES },
    );
  }, 3_600_000);
});
