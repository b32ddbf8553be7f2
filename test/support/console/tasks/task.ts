import type { Page } from 'playwright-core';
import type { TestService } from '../../services/test-service.js';
import type { ConsoleBrowser } from '../console-browser.js';
import type { TaskHand } from './task-hand.js';

/** The environment of a task. */
export interface TaskPlace {
  readonly hand: TaskHand;
  readonly page: Page;
  readonly service: TestService;
  /** The API for the owner, to compare with the page. */
  readonly api: ConsoleBrowser;
  /** A unique part for names. */
  readonly suffix: string;
}

/** A typical task of a person in the console. It starts on the overview, and fails if it is not completed. */
export interface Task {
  readonly name: string;
  /** Prepares the task. */
  readonly before?: (place: TaskPlace) => Promise<void>;
  readonly run: (place: TaskPlace) => Promise<void>;
}

/** The only row of a query for sums, or the first row by spend. */
export async function sums({ api }: TaskPlace, query: object): Promise<Record<string, unknown>> {
  const { json } = await api.post('/analytics/query', query);
  return json.data.data[0];
}

/** The amount in a text such as "Billed $0.0012". */
export const amountOf = (text: string | null): number => Number(/\$([\d,.]+)/.exec(text!)![1]!.replaceAll(',', ''));

export const clipboard = (page: Page): Promise<string> => page.evaluate('navigator.clipboard.readText()');
