import { Client } from 'pg';

/** Runs one statement on a separate connection. */
export async function queryOnce<Row extends object>(url: string, text: string, timeoutMs = 5_000): Promise<Row[]> {
  const client = new Client({ connectionString: url, application_name: 'test', connectionTimeoutMillis: timeoutMs });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}
