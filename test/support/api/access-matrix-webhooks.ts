import type { MatrixThings, Prepared } from './access-matrix-things.js';

const WEBHOOK = { url: 'https://hooks.invalid/x', events: ['intern.failed'] };

async function aWebhook(things: MatrixThings): Promise<string> {
  const { json } = await things.management('post', '/webhooks', { json: WEBHOOK });
  return `/webhooks/${json.data.id}`;
}

/** Sends a test event to a new webhook. Returns the path of the delivery, which has ended. */
async function aDelivery(things: MatrixThings): Promise<string> {
  const path = await aWebhook(things);
  const { json } = await things.management('post', `${path}/test`, {});
  return `${path}/deliveries/${json.data.id}`;
}

/** The requests of the access matrix for webhooks. */
export const WEBHOOK_REQUESTS: Readonly<Record<string, (things: MatrixThings) => Prepared | Promise<Prepared>>> = {
  'POST /webhooks': () => ({ path: '/webhooks', request: { json: WEBHOOK } }),
  'GET /webhooks/{}': async (things) => ({ path: await aWebhook(things) }),
  'PATCH /webhooks/{}': async (things) => ({
    path: await aWebhook(things),
    request: { json: { events: ['credits.low'] } },
  }),
  'DELETE /webhooks/{}': async (things) => ({ path: await aWebhook(things) }),
  'POST /webhooks/{}/test': async (things) => ({ path: `${await aWebhook(things)}/test` }),
  'POST /webhooks/{}/rotate': async (things) => ({ path: `${await aWebhook(things)}/rotate` }),
  'POST /webhooks/{}/deliveries/{}/resend': async (things) => ({ path: `${await aDelivery(things)}/resend` }),
  'GET /webhooks/{}/deliveries': async (things) => ({ path: `${await aWebhook(things)}/deliveries` }),
};
