import { Injectable } from '@nestjs/common';
import { Config } from '../../config/config.js';
import { Sql } from '../../database/sql.js';
import { isUuid } from '../../kernel/ids.js';
import type { DueDelivery } from '../delivery-queue.js';
import type { Mail } from '../mail-sender.port.js';
import { MAILTO, wireEventId, type ChatFormat } from '../webhook-record.js';
import { alertOf, type Alert } from './alert.js';
import { discordMessage } from './discord-message.js';
import { emailMessage } from './email-message.js';
import { slackMessage } from './slack-message.js';
import { teamsMessage } from './teams-message.js';

const MESSAGES: Readonly<Record<ChatFormat, (alert: Alert) => object>> = {
  slack: slackMessage,
  discord: discordMessage,
  teams: teamsMessage,
};

/** Renders events for people, with the names and links that the texts need. */
@Injectable()
export class Alerts {
  constructor(
    private readonly sql: Sql,
    private readonly config: Config,
  ) {}

  /** The body of a message to a chat. */
  async message(due: DueDelivery, format: ChatFormat): Promise<string> {
    return JSON.stringify(MESSAGES[format](await this.#alert(due)));
  }

  async mail(due: DueDelivery): Promise<Mail> {
    const domain = /@([\w.-]+)>?$/.exec(this.config.values.SMTP_FROM ?? '')?.[1] ?? 'gatehouse.invalid';
    return {
      to: due.url.slice(MAILTO.length),
      messageId: `<${wireEventId(due.eventId)}.${due.webhookId}@${domain}>`,
      ...emailMessage(await this.#alert(due)),
    };
  }

  async #alert({ type, data, eventAt, accountId }: DueDelivery): Promise<Alert> {
    const { PUBLIC_BASE_URL } = this.config.values;
    return alertOf({
      type,
      data,
      at: eventAt,
      workspace: await this.#workspaceName(accountId, data['workspace_id']),
      consoleUrl: PUBLIC_BASE_URL === undefined ? null : `${PUBLIC_BASE_URL}/console`,
    });
  }

  async #workspaceName(accountId: string, id: unknown): Promise<string | null> {
    if (typeof id !== 'string' || !isUuid(id)) return null;
    const [row] = await this.sql.query<{ name: string }>(
      'select name from workspace where id = $1 and account_id = $2',
      [id, accountId],
    );
    return row?.name ?? null;
  }
}
