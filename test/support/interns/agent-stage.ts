import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SecretValue } from '../../../src/kernel/secret-value.js';
import { ProcessRuntimeDriver } from '../../../src/runtimes/drivers/process-runtime.driver.js';
import type { Runtime, RuntimeBoot, RuntimeDriver, RuntimePlace } from '../../../src/runtimes/runtime.driver.js';
import type { Turn, TurnEvent, TurnRequest } from '../../../src/runtimes/turn.js';
import { aBoot, aPlace } from '../../contracts/runtime-driver.contract.js';
import { openScriptedModel, type ScriptedModel } from '../vendors/scripted-model.js';
import { temporaryFolder } from '../temporary-folder.js';
import { openTlsWorld, type TlsWorld } from '../engines/tls-world.js';

/** A real agent in the process runtime, with a scripted model and a simulated internet. */
export interface AgentStage {
  readonly model: ScriptedModel;
  readonly world: TlsWorld;
  readonly driver: RuntimeDriver;
  readonly place: RuntimePlace;
  /** The intern's disk. */
  readonly home: string;
  homeOf(place: RuntimePlace): string;
  /** Starts the intern again, and ends the previous runtime. */
  boot(changes?: Partial<RuntimeBoot>): Promise<Runtime>;
  /** The runtime of the newest boot. */
  runtime(): Runtime;
  /** The process of the newest boot. */
  pid(): Promise<number>;
  request(text: string, changes?: Partial<TurnRequest>): TurnRequest;
  /** Runs a turn to its end. `onQuestion` answers questions. */
  turn(text: string, changes?: Partial<TurnRequest>, onQuestion?: OnQuestion): Promise<TurnEvent[]>;
  close(): Promise<void>;
}

export type QuestionEvent = Extract<TurnEvent, { type: 'question' }>;
export type OnQuestion = (event: QuestionEvent, turn: Turn) => void;

export const LIMITS: TurnRequest['limits'] = { steps: 20, activeMs: 60_000, tokens: 1_000_000, answerMs: 60_000 };

/** Replaces the process driver. */
export interface StageRuntime {
  readonly driver: RuntimeDriver;
  /** The disk of an intern, as this process sees it. */
  homeOf(place: RuntimePlace): string;
}

export async function openAgentStage(other?: StageRuntime): Promise<AgentStage> {
  const [world, folder] = await Promise.all([openTlsWorld(), temporaryFolder()]);
  const model = await openScriptedModel(world.trusted, join(folder.path, 'egress.sock'));
  for (const name of ['authority.pem', 'authorities.pem']) await writeFile(join(folder.path, name), world.authority);
  const place = aPlace();
  const interns = join(folder.path, 'data', 'interns');
  const { driver, homeOf } = other ?? {
    driver: new ProcessRuntimeDriver(join(folder.path, 'data')),
    homeOf: ({ internId }) => join(interns, internId, 'home'),
  };
  await driver.prepare(place);
  const egress = {
    token: new SecretValue('pass'),
    port: model.port,
    socketFolder: folder.path,
    authorities: world.authority,
  };
  let fence = 0;
  let turns = 0;
  let runtime: Runtime | undefined;
  const request = (text: string, changes: Partial<TurnRequest> = {}): TurnRequest => ({
    turnId: `turn-${++turns}`,
    sessionId: 'a session',
    text,
    approvalMode: 'self-drive',
    limits: LIMITS,
    allowedHosts: [],
    ...changes,
  });
  return {
    model,
    world,
    driver,
    place,
    home: homeOf(place),
    homeOf,
    boot: async (changes = {}) =>
      (runtime = await driver.start({ ...aBoot(place, ++fence, 600_000), egress, ...changes })),
    runtime: () => runtime!,
    pid: async () => {
      const record = await readFile(join(interns, place.internId, 'runtime.json'), 'utf8');
      return (JSON.parse(record) as { pid: number }).pid;
    },
    request,
    turn: async (text, changes, onQuestion) => {
      const turn = runtime!.startTurn(request(text, changes));
      return eventsOf(turn, onQuestion);
    },
    close: async () => {
      await runtime?.stop();
      await driver.remove(place);
      await Promise.all([model.close(), world.close()]);
      await folder.remove();
    },
  };
}

/** All events of a turn. Answers questions with `onQuestion`. */
export async function eventsOf(turn: Turn, onQuestion?: OnQuestion): Promise<TurnEvent[]> {
  const events: TurnEvent[] = [];
  for await (const event of turn.events) {
    events.push(event);
    if (event.type === 'question') onQuestion?.(event, turn);
  }
  return events;
}

export const textOf = (events: readonly TurnEvent[]): string =>
  events.map((event) => (event.type === 'text' ? event.text : '')).join('');

/** The results of tools in the messages of a model call. */
// oxlint-disable-next-line typescript/no-explicit-any
export const toolResults = (json: any): string[] =>
  (json.messages as { role: string; content: string }[])
    .filter(({ role }) => role === 'tool')
    .map(({ content }) => content);
