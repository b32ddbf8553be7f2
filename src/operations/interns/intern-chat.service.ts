import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { Config } from '../../config/config.js';
import { callerSignal } from '../../http/edge/caller-signal.js';
import { EventOutlet } from '../../http/reply/event-outlet.js';
import { chatErrors } from '../../interns/intern-chat.errors.js';
import { InternTurns, type OpenTurn } from '../../interns/intern-turns.js';
import { Interns } from '../../interns/interns.js';
import { toWire } from '../../kernel/dialect.js';
import type { Principal } from '../../kernel/principal.js';
import type { TurnEvent } from '../../runtimes/turn.js';
import type { InternChatRequest } from './dto/intern-chat.request.dto.js';
import type { SteeredResponse } from './dto/session.response.dto.js';
import { readMessage } from './intern-chat.message.js';
import { ChatChunks, UNKNOWN_MODEL } from './intern-chat.wire.js';
import { toActor } from './interns.wire.js';

const KEEPALIVE = { comment: ': keepalive\n\n', afterMs: 30_000 };

/** Accepts messages for interns, and streams the events of their runs. */
@Injectable()
export class InternChatService {
  constructor(
    private readonly interns: Interns,
    private readonly turns: InternTurns,
    private readonly config: Config,
  ) {}

  /** Throws HeldElsewhere or Moving unless this replica runs the intern. */
  async respond(id: string, request: InternChatRequest, caller: Principal, response: Response): Promise<void> {
    const { role, message } = readMessage(request);
    const actor = toActor(caller);
    const intern = await this.interns.get(actor, id);
    const started =
      role === 'user'
        ? await this.turns.begin(intern, message, actor)
        : await this.turns.answer(intern, message, actor);
    if ('steeredSessionId' in started) {
      const steered: SteeredResponse = { session_id: started.steeredSessionId, status: 'steered' };
      response.status(202).json(steered);
    } else {
      await this.#stream(started, response);
    }
  }

  /**
   * Streams the events of a run until its next question or its end. If the caller disconnects first, the run is
   * cancelled.
   */
  async #stream(run: OpenTurn, response: Response): Promise<void> {
    const left = callerSignal(response);
    left.addEventListener('abort', () => run.cancel());
    if (response.destroyed) run.cancel();
    const { model, sessionId } = run.place;
    const chunks = new ChatChunks(model ?? toWire(UNKNOWN_MODEL, this.config.values.WIRE_DIALECT), sessionId);
    const outlet = new EventOutlet(response, KEEPALIVE);
    try {
      await outlet.write(chunks.role());
      for await (const event of run.events()) {
        const last = lastOf(event, chunks);
        if (last !== undefined) return outlet.end(Buffer.from(last));
        await outlet.write(event.type === 'reasoning' ? chunks.reasoning(event.text) : chunks.content(textOf(event)));
      }
      // The run was cancelled, because the caller has disconnected.
      outlet.cut();
    } finally {
      outlet.release();
    }
  }
}

const textOf = (event: TurnEvent): string => ('text' in event ? event.text : '');

/** Returns the last events of the response if `event` ends it; otherwise undefined. */
function lastOf(event: TurnEvent, chunks: ChatChunks): string | undefined {
  switch (event.type) {
    case 'question':
      return chunks.question(event.questionId, event.question) + chunks.end('tool_calls', null);
    case 'end':
      chunks.model = event.model;
      return chunks.end('stop', event.usage);
    case 'failed':
      return chunks.end('error', event.usage, chatErrors.ofTurn(event));
    default:
      return undefined;
  }
}
