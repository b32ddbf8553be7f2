/**
 * The minimal cost of a service on Nest: a controller with one guard, and undici's dispatch to the vendor. STEPS:
 * `bytes` forwards the bodies. `parsed` also parses both bodies and serialises the response. `settled` also writes a
 * durable record as long as the record of a call, with one statement for all calls that end together.
 */
import { Controller, Injectable, Module, Post, Req, Res, UseGuards, type CanActivate } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import { Agent } from 'undici';

const { VENDOR_URL, DATABASE_URL, STEPS } = process.env as Record<string, string>;
/** The length of a call's record and its detail as text. */
const RECORD = 'r'.repeat(500);
const agent = new Agent({ allowH2: false, pipelining: 1 });

interface Waiting {
  readonly id: string;
  readonly done: () => void;
}

class Records {
  readonly #client = new pg.Client(DATABASE_URL);
  #queue: Waiting[] = [];
  #isWriting = false;

  async open(): Promise<void> {
    await this.#client.connect();
    await this.#client.query('create table if not exists floor_record (id uuid primary key, record text)');
  }

  write(id: string): Promise<void> {
    return new Promise((done) => {
      this.#queue.push({ id, done });
      if (this.#isWriting) return;
      this.#isWriting = true;
      setImmediate(() => void this.#flush());
    });
  }

  async #flush(): Promise<void> {
    while (this.#queue.length > 0) {
      const batch = this.#queue.splice(0);
      await this.#client.query('insert into floor_record select * from unnest($1::uuid[], $2::text[])', [
        batch.map(({ id }) => id),
        batch.map(() => RECORD),
      ]);
      for (const { done } of batch) done();
    }
    this.#isWriting = false;
  }
}

const records = new Records();

const bodyOf = (request: IncomingMessage): Promise<Buffer> =>
  new Promise((resolve) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)));
  });

const responseTo = (body: Buffer | string): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const headers = ['content-type', 'application/json', 'authorization', 'Bearer x'];
    agent.dispatch(
      { origin: VENDOR_URL!, path: '/v1/chat/completions', method: 'POST', headers, body },
      {
        onRequestStart: () => undefined,
        onResponseStart: () => undefined,
        onResponseData: (_, chunk) => void chunks.push(chunk),
        onResponseEnd: () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)),
        onResponseError: (_, error) => reject(error),
      },
    );
  });

@Injectable()
class KeyGuard implements CanActivate {
  canActivate(): boolean {
    return true;
  }
}

@Controller()
class FloorController {
  @Post('api/v1/chat/completions')
  @UseGuards(KeyGuard)
  async complete(@Req() request: IncomingMessage, @Res() response: ServerResponse): Promise<void> {
    const sent = await bodyOf(request);
    const isParsed = STEPS !== 'bytes';
    const members = isParsed ? (JSON.parse(sent.toString()) as object) : undefined;
    const answer = await responseTo(members ? JSON.stringify({ ...members, model: 'gpt-4o-mini' }) : sent);
    const content = isParsed ? JSON.stringify({ ...(JSON.parse(answer.toString()) as object), id: 'gen' }) : answer;
    if (STEPS === 'settled') await records.write(randomUUID());
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(content) });
    response.end(content);
  }
}

@Module({ controllers: [FloorController], providers: [KeyGuard] })
class FloorModule {}

if (STEPS === 'settled') await records.open();
const app = await NestFactory.create<NestExpressApplication>(FloorModule, { bodyParser: false, logger: false });
await app.listen(0, '127.0.0.1');
const { port } = app.getHttpServer().address() as AddressInfo;
process.stdout.write(`ready http://127.0.0.1:${port}\n`);
