import type { Page } from 'playwright-core';
import type { TestService } from '../../services/test-service.js';
import type { ConsoleBrowser } from '../console-browser.js';
import type { TaskHand } from './task-hand.js';

/** The environment of a task. */
export interface TaskPlace {
  readonly hand: TaskHand;
  readonly page: Page;
  readonly service: TestService;
  /** An API client of the owner, to compare the data of the API with the page. */
  readonly api: ConsoleBrowser;
  /** A unique part for names. */
  readonly suffix: string;
}

/** A typical task of a user of the console. `run` starts on the overview, and throws if a step fails. */
export interface Task {
  readonly name: string;
  /** Prepares data before the page is opened. */
  readonly before?: (place: TaskPlace) => Promise<void>;
  readonly run: (place: TaskPlace) => Promise<void>;
}

/** Runs an analytics query and returns its first row. */
export async function firstRow({ api }: TaskPlace, query: object): Promise<Record<string, unknown>> {
  const { json } = await api.post('/analytics/query', query);
  return json.data.data[0];
}

/** The amount in a text such as "Billed $0.0012". */
export const amountOf = (text: string | null): number => Number(/\$([\d,.]+)/.exec(text!)![1]!.replaceAll(',', ''));

export const clipboard = (page: Page): Promise<string> => page.evaluate('navigator.clipboard.readText()');
