import { Module, type OnApplicationShutdown } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.js';
import { Config } from '../config/config.js';
import { SecretsModule } from '../secrets/secrets.module.js';
import { Alerts } from './alerts/alerts.js';
import { Deliveries } from './deliveries.js';
import { DeliveryQueue } from './delivery-queue.js';
import { GuardedWebhookSender } from './drivers/guarded-webhook-sender.driver.js';
import { SmtpMailSender } from './drivers/smtp-mail-sender.driver.js';
import { MailSender } from './mail-sender.port.js';
import { Outages } from './outages.js';
import { OutgoingDeliveries } from './outgoing-deliveries.js';
import { Webhooks } from './webhooks.js';
import { WebhookSecrets } from './webhook-secrets.js';
import { WebhookSender } from './webhook-sender.port.js';

/** Events of accounts, and the webhooks to which they are sent. */
@Module({
  imports: [AuditModule, SecretsModule],
  providers: [
    Alerts,
    Deliveries,
    DeliveryQueue,
    Outages,
    OutgoingDeliveries,
    Webhooks,
    WebhookSecrets,
    {
      provide: WebhookSender,
      inject: [Config],
      useFactory: ({ values }: Config): WebhookSender =>
        new GuardedWebhookSender(values.WEBHOOK_PRIVATE_HOSTS, values.WEBHOOK_TIMEOUT_MS),
    },
    {
      provide: MailSender,
      inject: [Config],
      useFactory: ({ values }: Config): MailSender =>
        new SmtpMailSender({ url: values.SMTP_URL, from: values.SMTP_FROM, timeoutMs: values.WEBHOOK_TIMEOUT_MS }),
    },
  ],
  exports: [Deliveries, DeliveryQueue, MailSender, Outages, Webhooks],
})
export class EventsModule implements OnApplicationShutdown {
  constructor(private readonly sender: WebhookSender) {}

  async onApplicationShutdown(): Promise<void> {
    await this.sender.close();
  }
}
