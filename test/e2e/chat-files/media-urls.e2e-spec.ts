import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { settledSpend } from '../../support/money/account-totals.js';
import { eventually } from '../../support/eventually.js';
import { FILE_SAMPLES } from '../../support/files/file-samples.js';
import { startScriptedChatVendor, type ScriptedChatVendor } from '../../support/vendors/scripted-chat-vendor.js';
import { startScriptedTextVendor } from '../../support/vendors/scripted-text-vendor.js';
import { PIXEL } from '../../support/vendors/scripted-vendor.js';
import { aTextEndpoint, startTextStage, type TextStage } from '../../support/calls/text-stage.js';
import { TEXT_VENDORS } from '../../support/vendors/text-vendor-formats.js';

const GOOGLE = TEXT_VENDORS.google;
const PDF = new Map(FILE_SAMPLES).get('application/pdf')!;
const PNG = Buffer.from(PIXEL, 'base64');
const PICTURE_URL = `data:image/png;base64,${PIXEL}`;
const DOCUMENT_URL = `data:application/pdf;base64,${PDF.toString('base64')}`;

const picture = (url: string): object => ({ type: 'image_url', image_url: { url, detail: 'low' } });
const file = (url: string): object => ({ type: 'file', file: { filename: 'a.pdf', file_data: url } });
const video = (url: string): object => ({ type: 'video_url', video_url: { url } });
const asking = (...parts: object[]): object[] => [{ role: 'user', content: parts }];

describe('media by URL in a chat request', () => {
  let stage: TextStage;
  let ollama: ScriptedChatVendor;
  let gemini: Awaited<ReturnType<typeof startScriptedTextVendor>>;
  let site: Server;
  let base: string;
  let hits: string[];
  beforeAll(async () => {
    site = createServer((request, response) => {
      hits.push(request.url!);
      if (request.url === '/slow.png') response.writeHead(200).write(PNG);
      else response.writeHead(request.url === '/none' ? 404 : 200).end(request.url!.endsWith('.pdf') ? PDF : PNG);
    });
    await new Promise<void>((listening) => site.listen(0, '127.0.0.1', listening));
    base = `http://localhost:${(site.address() as AddressInfo).port}`;
    ollama = await startScriptedChatVendor();
    gemini = await startScriptedTextVendor();
    stage = await startTextStage({
      env: {
        ALLOW_PRIVATE_REFERENCE_HOSTS: 'localhost',
        OLLAMA_BASE_URL: ollama.baseUrl,
        GOOGLE_API_KEY: GOOGLE.credential,
        GOOGLE_BASE_URL: gemini.baseUrl,
      },
    });
    const google = { adapter: 'ai-sdk', package: GOOGLE.package, upstreamModel: GOOGLE.model };
    stage.teach('rules/google', [aTextEndpoint('google', google)], { inputModalities: ['text', 'image', 'file'] });
    stage.teach('rules/ollama', [aTextEndpoint('ollama', { needsCredential: false })], {
      inputModalities: ['text', 'image', 'file', 'video'],
    });
    stage.teach('rules/viewer', [aTextEndpoint('openai')], { inputModalities: ['text', 'video'] });
  });
  beforeEach(() => {
    hits = [];
  });
  afterAll(async () => {
    await stage.stop();
    await ollama.close();
    await gemini.close();
    site.closeAllConnections();
    site.close();
  });

  const contentOf = ({ seen }: ScriptedChatVendor): unknown => seen.at(-1)!.json.messages[0].content;

  it('goes to a vendor unchanged if the vendor fetches it', async () => {
    const parts = [picture(`${base}/1.png`)];
    expect((await stage.chat({ messages: asking(...parts) })).status).toBe(200);
    expect([contentOf(stage.vendors.openai), hits]).toEqual([parts, []]);
    const films = [video('https://films.example/1.mp4')];
    expect((await stage.chat({ model: 'rules/viewer', messages: asking(...films) })).status).toBe(200);
    expect(contentOf(stage.vendors.openai)).toEqual(films);
    const documents = [file(`${base}/1.pdf`)];
    expect((await stage.chat({ model: 'rules/openrouter', messages: asking(...documents) })).status).toBe(200);
    expect([contentOf(stage.vendors.openrouter), hits]).toEqual([documents, []]);
  });

  it('is fetched and sent inline to a server of your own, and so is a document to most vendors', async () => {
    const messages = asking(picture(`${base}/1.png`), { type: 'text', text: 'and' }, file(`${base}/2.pdf`));
    const inline = [picture(PICTURE_URL), { type: 'text', text: 'and' }, file(DOCUMENT_URL)];
    expect((await stage.chat({ model: 'rules/ollama', messages })).status).toBe(200);
    expect([contentOf(ollama), hits.toSorted()]).toEqual([inline, ['/1.png', '/2.pdf']]);
    expect((await stage.chat({ messages: asking(file(`${base}/2.pdf`)) })).status).toBe(200);
    expect(contentOf(stage.vendors.openai)).toEqual([file(DOCUMENT_URL)]);
  });

  it('is sent as a URL if the package of the vendor accepts URLs, and otherwise inline', async () => {
    stage.claude();
    const messages = asking(picture(`${base}/1.png`), file(`${base}/2.pdf`));
    expect((await stage.chat({ model: 'rules/anthropic', messages })).status).toBe(200);
    expect(stage.anthropic.seen.at(-1)!.json.messages[0].content).toMatchObject([
      { type: 'image', source: { type: 'url', url: `${base}/1.png` } },
      { type: 'document', source: { type: 'url', url: `${base}/2.pdf` } },
    ]);
    expect(hits).toEqual([]);
    gemini.turn(GOOGLE, { text: ['Hi'], finish: GOOGLE.stop, usage: GOOGLE.usage }, false);
    expect((await stage.chat({ model: 'rules/google', messages })).status).toBe(200);
    expect(gemini.seen.at(-1)!.json.contents[0].parts).toEqual([
      { inlineData: { mimeType: 'image/png', data: PIXEL } },
      { inlineData: { mimeType: 'application/pdf', data: PDF.toString('base64') } },
    ]);
    expect(hits.toSorted()).toEqual(['/1.png', '/2.pdf']);
    const inside = asking(file('http://127.0.0.1:1/1.pdf'));
    const { status, json } = await stage.chat({ model: 'rules/google', messages: inside });
    expect([status, json.error.message]).toEqual([400, expect.stringContaining('not public')]);
  });

  it.each([
    ['a picture on an address that is not public', picture('http://127.0.0.1:1/1.png'), /not public/],
    ['a picture on the metadata address', picture('http://169.254.169.254/latest/meta-data'), /not public/],
    ['a document on a private name', file('http://[::1]/1.pdf'), /not public/],
    ['a picture that is a document', picture('BASE/1.pdf'), /holds no picture/],
    ['a document that is a picture', file('BASE/1.png'), /holds no document of a known kind \(PDF\)/],
    ['a picture that does not exist', picture('BASE/none'), /returned 404/],
    ['a video, which is not fetched', video('https://films.example/1.mp4'), /takes no such URL/],
  ])('is a 400 for a vendor that does not fetch URLs: %s', async (_, part, message) => {
    const seen = ollama.seen.length;
    const spent = await settledSpend(stage.service.sql);
    const messages = JSON.parse(JSON.stringify(asking(part)).replaceAll('BASE', base)) as object[];
    for (const stream of [false, true]) {
      const { status, json } = await stage.chat({ model: 'rules/ollama', messages, stream });
      expect([status, json.error.message]).toEqual([400, expect.stringMatching(message)]);
      expect(json.error.message).toContain('messages[0].content[0]');
    }
    expect(ollama.seen).toHaveLength(seen);
    expect(await settledSpend(stage.service.sql)).toBe(spent);
  });

  it('is a 400 in an embeddings request to a server of your own, but a data URL is accepted', async () => {
    stage.teach('rules/vectors', [aTextEndpoint('ollama', { capability: 'embeddings', needsCredential: false })], {
      inputModalities: ['text', 'image'],
      outputModalities: ['embeddings'],
    });
    const embed = (url: string) =>
      stage.service.standard.post('/embeddings', {
        json: { model: 'rules/vectors', input: [{ content: [picture(url)] }] },
      });
    const seen = ollama.seen.length;
    expect([(await embed(`${base}/1.png`)).status, ollama.seen.length]).toEqual([400, seen]);
    expect([(await embed(PICTURE_URL)).status, ollama.seen.length]).toEqual([200, seen + 1]);
  });

  it('is no longer fetched after the caller has left', async () => {
    const gone = new AbortController();
    const json = { model: 'rules/ollama', messages: asking(picture(`${base}/slow.png`)) };
    const call = stage.service.standard.post('/chat/completions', { json, signal: gone.signal });
    await eventually(async () => expect(hits).toEqual(['/slow.png']));
    gone.abort();
    await expect(call).rejects.toThrow();
    const open = () => new Promise<number>((resolve) => site.getConnections((_, count) => resolve(count)));
    await eventually(async () => expect(await open()).toBe(0));
  });
});
