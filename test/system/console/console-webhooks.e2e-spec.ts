import { startChatReceiver } from '../../support/engines/chat-receiver.js';
import { startWebhookReceiver, type WebhookReceiver } from '../../support/engines/webhook-receiver.js';
import { COUNTER } from '../../support/console/newcomer.js';
import { describeInChromium, startConsoleStage, type ConsoleStage } from '../../support/console/console-stage.js';

describeInChromium('alerts and webhooks in the console:', () => {
  let stage: ConsoleStage;
  let slack: WebhookReceiver;
  let program: WebhookReceiver;
  beforeAll(async () => {
    slack = await startChatReceiver('slack');
    program = await startWebhookReceiver();
    stage = await startConsoleStage({ env: { INTERN_RUNTIME: 'none', WEBHOOK_PRIVATE_HOSTS: '127.0.0.1' } });
  }, 180_000);
  afterAll(async () => {
    await stage.stop();
    await slack.close();
    await program.close();
  });

  it('an alert to a chat is added and tested in six clicks, sent again, disabled and deleted', async () => {
    const { page, goto, faults } = await stage.open();
    await page.addInitScript(COUNTER);
    await goto('/');
    await page.getByRole('link', { name: 'Alerts and webhooks', exact: true }).click();
    await page.getByText('No webhooks yet.').waitFor();
    await page.getByRole('button', { name: 'Add an alert or a webhook' }).click();
    const form = page.getByRole('dialog');
    await form.getByLabel('URL of the webhook').click();
    await page.keyboard.insertText(`${slack.url}/T0/Canary`);
    await form.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('link', { name: /…nary$/ }).click();

    await page.getByRole('heading', { name: /…nary$/ }).waitFor();
    await page.getByRole('button', { name: 'Send a test' }).click();
    await page.getByText('The test was delivered').waitFor();
    expect(await page.evaluate<number>('counted.clicks')).toBe(6);
    expect(slack.seen).toHaveLength(1);
    await page.getByRole('button', { name: /^Resend webhook.test/ }).click();
    await page.getByRole('cell', { name: '2', exact: true }).waitFor();
    expect(slack.seen).toHaveLength(2);

    slack.respond = 404;
    await page.getByRole('button', { name: 'Send a test' }).click();
    await page.getByText('The test was not delivered').waitFor();
    await page.getByRole('status').getByText('The receiver answered 404.').waitFor();

    await page.getByRole('button', { name: /^Disable/ }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click();
    await page.getByText('Disabled', { exact: true }).waitFor();
    expect(await page.getByRole('button', { name: /^Rotate/ }).count()).toBe(0);
    await page.getByRole('button', { name: /^Delete/ }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No webhooks yet.').waitFor();
    expect(faults.errors).toEqual([]);
  }, 120_000);

  it('the secret of a signed webhook is shown once, and again after a rotation', async () => {
    const { page, goto } = await stage.open();
    await goto('/webhooks');
    await page.getByRole('button', { name: 'Add an alert or a webhook' }).click();
    const form = page.getByRole('dialog');
    await form.getByRole('combobox', { name: 'Format' }).click();
    await page.getByRole('option', { name: 'Signed webhook' }).click();
    await form.getByLabel('URL').fill(program.url);
    await form.getByRole('button', { name: 'Add', exact: true }).click();
    const secret = page.getByRole('region', { name: 'Secret' });
    const first = await secret.textContent();
    expect(first).toMatch(/^whsec_/);
    await page.getByRole('button', { name: 'Done' }).click();

    await page.getByRole('link', { name: program.url }).click();
    await page.getByRole('button', { name: /^Rotate the secret/ }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate the secret' }).click();
    await secret.waitFor();
    expect(await secret.textContent()).toMatch(/^whsec_/);
    expect(await secret.textContent()).not.toBe(first);
    await page.getByRole('button', { name: 'Done' }).click();
    expect(await page.content()).not.toContain('whsec_');
  }, 120_000);

  it('refusals of the service are shown in the form', async () => {
    const { page, goto } = await stage.open();
    await goto('/webhooks');
    await page.getByRole('button', { name: 'Add an alert or a webhook' }).click();
    const form = page.getByRole('dialog');
    await form.getByRole('combobox', { name: 'Format' }).click();
    await page.getByRole('option', { name: 'E-mail' }).click();
    await form.getByLabel('Address').fill('oncall@example.com');
    await form.getByRole('button', { name: 'Add', exact: true }).click();
    await form.getByText(/SMTP_URL/).waitFor();
  }, 120_000);
});
