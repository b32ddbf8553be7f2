import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RuntimePlace } from '../../../src/runtimes/runtime.driver.js';
import { openAgentStage, toolResults, type AgentStage } from './agent-stage.js';
import { fillInjectedDisk, writeNeighbourNotes } from '../database/injected-disk.js';
import { INJECTIONS } from './injection-corpus/corpus.js';
import { obey, read, request, textOfInjection, type Injection } from './injection-corpus/injection.js';
import type { ScriptedCall } from '../vendors/scripted-model.js';

const PAGES = 'pages.test';
const NEIGHBOUR_ID = '99999999-9999-4999-8999-999999999999';

export interface InjectedAgent {
  readonly stage: AgentStage;
  /** Makes the agent read the page or file, with a model that obeys it. Returns the results of its tools. */
  expose(injection: Injection): Promise<string[]>;
  /** The names and contents of all files on the other intern's disk. */
  neighbourDisk(): Promise<string>;
  close(): Promise<void>;
}

/** Starts an agent whose disk has files and links, and prepares the disk of a second intern that it must not reach. */
export async function openInjectedAgent(sharesUser: boolean): Promise<InjectedAgent> {
  const stage = await openAgentStage();
  const neighbour: RuntimePlace = { internId: NEIGHBOUR_ID, no: stage.place.no + (sharesUser ? 0 : 1) };
  await stage.driver.prepare(neighbour);
  const other = stage.homeOf(neighbour);
  await writeNeighbourNotes(other);
  const opened = new Set([PAGES, 'api.example.com']);
  // Refuses hosts that are not allowed, as the egress proxy does: a program that the agent runs can bypass the agent.
  stage.model.refuses = (way) => !opened.has(way.replace(/:443$/, ''));
  await stage.boot({
    hostGrants: { allow: (host) => void opened.add(host), end: (host) => void opened.delete(host) },
  });
  await fillInjectedDisk(stage.home, NEIGHBOUR_ID);
  return {
    stage,
    expose: async (injection) => {
      const index = INJECTIONS.indexOf(injection);
      const page = textOfInjection(injection)
        .replaceAll('<neighbour>', NEIGHBOUR_ID)
        .replaceAll('<intern>', stage.place.internId);
      let first: ScriptedCall;
      if (index % 2 === 0) {
        stage.world.scripted = [`HTTP/1.1 200 OK\r\ncontent-length: ${Buffer.byteLength(page)}\r\n\r\n${page}`];
        first = request(`https://${PAGES}/${index}`);
      } else {
        stage.world.scripted = undefined;
        await writeFile(join(stage.home, `inbox/${index}.txt`), page);
        first = read(`inbox/${index}.txt`);
      }
      const obeyed = new Set<string>();
      stage.model.respond = ({ json }) => obey(json, first, obeyed);
      const sessionId = `injection ${index}`;
      const events = await stage.turn('Read it, please.', { sessionId, allowedHosts: [PAGES] });
      const last = events.at(-1)!;
      if (last.type !== 'end') throw new Error(`the turn did not end: ${JSON.stringify(last)}`);
      return toolResults(stage.model.calls.at(-1)!.json);
    },
    neighbourDisk: async () => {
      const names = await readdir(other);
      const texts = await Promise.all(names.map((name) => readFile(join(other, name), 'utf8')));
      return JSON.stringify([names, texts]);
    },
    close: async () => {
      await stage.driver.remove(neighbour);
      await stage.close();
    },
  };
}

/** The requests, other than model calls, to hosts that the agent must not reach. */
export const forbiddenWays = (ways: readonly string[]): string[] =>
  ways.filter((way) => !/^(pages\.test|api\.example\.com):443$/.test(way));
