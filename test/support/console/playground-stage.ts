import type { Locator, Page } from 'playwright-core';
import { aTextEndpoint } from '../calls/text-stage.js';
import { aModel } from '../catalogue/catalogue-builder.js';
import { teachModels } from '../catalogue/test-catalogue.js';
import { PIXEL } from '../vendors/scripted-vendor.js';
import { startScriptedChatVendor, type ScriptedChatVendor } from '../vendors/scripted-chat-vendor.js';
import { startConsoleStage, type ConsolePage, type ConsoleStage } from './console-stage.js';

export const PICTURE = { name: 'pixel.png', mimeType: 'image/png', buffer: Buffer.from(PIXEL, 'base64') };
export const PICTURE_URL = `data:image/png;base64,${PIXEL}`;

/** The playground of a service with the model `rules/sees`, which accepts pictures and files. */
export interface PlaygroundStage {
  readonly vendor: ScriptedChatVendor;
  readonly stage: ConsoleStage;
  readonly opened: ConsolePage;
  readonly page: Page;
  readonly prompt: Locator;
  /** The files below the prompt. */
  readonly files: Locator;
  lane(model: string): Locator;
  goto(...models: readonly string[]): Promise<void>;
  send(): Promise<void>;
  /** Sends a prompt and waits for the end of its call. */
  say(text: string): Promise<void>;
  stop(): Promise<void>;
}

export async function startPlaygroundStage(): Promise<PlaygroundStage> {
  const vendor = await startScriptedChatVendor();
  const stage = await startConsoleStage({
    env: { INTERN_RUNTIME: 'none', OPENAI_API_KEY: 'sk-of-the-platform', OPENAI_BASE_URL: vendor.baseUrl },
  });
  const inputModalities = ['text', 'image', 'file'];
  teachModels(stage.service, [aModel('rules/sees', { endpoints: [aTextEndpoint('openai')], inputModalities })]);
  const opened = await stage.open();
  const { page } = opened;
  const prompt = page.getByLabel('Prompt', { exact: true });
  const send = (): Promise<void> => page.getByRole('button', { name: 'Send' }).click();
  return {
    vendor,
    stage,
    opened,
    page,
    prompt,
    files: page.locator('form').getByRole('list', { name: 'Files' }),
    lane: (model) => page.getByRole('region', { name: model, exact: true }),
    goto: (...models) => opened.goto(`/playground?models=${encodeURIComponent(JSON.stringify(models))}`),
    send,
    say: async (text) => {
      const receipts = page.getByText(/ · Call$/);
      const before = await receipts.count();
      await prompt.fill(text);
      await send();
      await receipts.nth(before).waitFor();
    },
    stop: async () => {
      await stage.stop();
      await vendor.close();
    },
  };
}
