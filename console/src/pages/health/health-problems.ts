import type { HealthRecord } from '../../api/records';
import { plural, t } from '../../text/translate';

export interface Problem {
  readonly title: string;
  /** What to do about the problem. */
  readonly advice: string;
  /** Whether the problem makes calls fail now. */
  readonly isUrgent: boolean;
  readonly link?: { readonly to: '/channels' | '/webhooks'; readonly label: string };
}

const MAX_LAG_SECONDS = 60;
const MAX_WAIT_MS = 600_000;

const CHECKS: Readonly<Record<HealthRecord['checks'][number]['name'], readonly [name: string, advice: string]>> = {
  database: [t('The database'), t('Calls get 503 until it responds. Check that it runs and can be reached.')],
  data_folder: [
    t('The data folder'),
    t('Uploads get 503. Put it back, free its disk, or start the service on another one.'),
  ],
  secrets: [t('The master key'), t('What is sealed cannot be opened here. Give this replica the key of the others.')],
  object_store: [
    t('The bucket'),
    t('Uploads and downloads get 503. Check its address, its credentials and its permissions.'),
  ],
  redis: [t('Redis'), t('Each replica counts rate limits by itself until it is back. Calls go on.')],
};

export const nameOfCheck = (name: HealthRecord['checks'][number]['name']): string => CHECKS[name][0];

/** The current problems, most urgent first. */
export function problemsOf(health: HealthRecord): Problem[] {
  const found = [
    ...checkProblems(health),
    ...processProblems(health),
    ...endpointProblems(health),
    ...channelProblems(health),
    ...analyticsProblems(health),
    ...webhookProblems(health),
  ];
  return found.sort((a, b) => Number(b.isUrgent) - Number(a.isUrgent));
}

const checkProblems = ({ checks }: HealthRecord): Problem[] =>
  checks
    .filter(({ ok }) => !ok)
    .map(({ name, fault }) => ({
      title: t('{part} does not work: {fault}', { part: CHECKS[name][0], fault }),
      advice: CHECKS[name][1],
      isUrgent: name !== 'redis',
    }));

function processProblems({ processes, replicas, replica_id: own }: HealthRecord): Problem[] {
  const silent = processes.filter(({ responds }) => !responds).map(({ name }) => name);
  const refused = processes.reduce((sum, { refused_1h: calls }) => sum + (calls ?? 0), 0);
  const sealed = (replicas ?? []).filter(({ id, opens_secrets: opens }) => !opens && id !== own);
  return [
    ...problem(silent.length, {
      title: t('{processes} did not respond: {names}', {
        processes: plural(silent.length, '{count} process', '{count} processes'),
        names: silent.join(', '),
      }),
      advice: t('It is started again by itself after it ends. If it stays so, look into the log of the service.'),
      isUrgent: true,
    }),
    ...problem(refused, {
      title: t('{refused} of the last hour got 503, because more arrived than could be served', {
        refused: plural(refused, '{count} call', '{count} calls'),
      }),
      advice: t('Add a worker or a replica, or limit the keys that call most.'),
      isUrgent: false,
    }),
    ...problem(sealed.length, {
      title: t('{replicas} cannot open secrets: {names}', {
        replicas: plural(sealed.length, '{count} other replica', '{count} other replicas'),
        names: sealed.map(({ id }) => id).join(', '),
      }),
      advice: t('Give it the master key of the others.'),
      isUrgent: true,
    }),
  ];
}

function endpointProblems({ endpoints }: HealthRecord): Problem[] {
  const resting = endpoints.filter(({ state }) => state !== 'closed').length;
  return problem(resting, {
    title: plural(resting, '{count} endpoint rests', '{count} endpoints rest'),
    advice: t(
      'Their vendor failed several times in a row. Calls go to other endpoints of the model, or get 503 where ' +
        'there is none. Each is tried again by itself after its pause: look at the status page of the vendor, and ' +
        'at its calls.',
    ),
    isUrgent: true,
  });
}

function channelProblems({ channels }: HealthRecord): Problem[] {
  const of = (state: string): number => (channels ?? []).filter((channel) => channel.state === state).length;
  const link = { to: '/channels', label: t('Open Channels') } as const;
  const [refused, exhausted, resting] = [of('refused'), of('exhausted'), of('resting')];
  return [
    ...problem(refused, {
      title: t('{refused} refused by the vendor', { refused: plural(refused, '{count} channel', '{count} channels') }),
      advice: t('The vendor does not accept the key. Replace it, or test it after it was mended at the vendor.'),
      isUrgent: true,
      link,
    }),
    ...problem(exhausted, {
      title: t('{exhausted} without credit at the vendor', {
        exhausted: plural(exhausted, '{count} channel', '{count} channels'),
      }),
      advice: t('Add credit at the vendor, then test the channel.'),
      isUrgent: true,
      link,
    }),
    ...problem(resting, {
      title: plural(resting, '{count} channel rests', '{count} channels rest'),
      advice: t(
        'The vendor asked for a pause, or a limit of the channel is reached. Add another channel if it is often.',
      ),
      isUrgent: false,
      link,
    }),
  ];
}

function analyticsProblems({ analytics: { store, phase, lag_seconds: lag } }: HealthRecord): Problem[] {
  if (store === 'postgres') return [];
  if (phase === 'filling')
    return [
      {
        title: t('The analytics store is still being built'),
        advice: t('Figures are right meanwhile, but take longer. There is nothing to do.'),
        isUrgent: false,
      },
    ];
  return problem(phase === 'following' && (lag ?? 0) > MAX_LAG_SECONDS ? 1 : 0, {
    title: t('The analytics store is {time} behind', {
      time: plural(Math.round(lag ?? 0), '{count} second', '{count} seconds'),
    }),
    advice: t('Figures lack the newest calls. Check the disk of DATA_DIR, and the log of the service.'),
    isUrgent: false,
  });
}

function webhookProblems({ webhooks, as_of: asOf }: HealthRecord): Problem[] {
  if (!webhooks) return [];
  const { failing, disabled, oldest_at: oldest } = webhooks;
  const waits = oldest !== null && Date.parse(asOf) - Date.parse(oldest) > MAX_WAIT_MS;
  const link = { to: '/webhooks', label: t('Open Alerts') } as const;
  return [
    ...problem(failing, {
      title: plural(
        failing,
        'The last delivery to {count} webhook failed',
        'The last deliveries to {count} webhooks failed',
      ),
      advice: t(
        'Deliveries are repeated for three days. Look at the log of the webhook for what its receiver answered.',
      ),
      isUrgent: false,
      link,
    }),
    ...problem(disabled, {
      title: t('{disabled} disabled by the service', {
        disabled: plural(disabled, '{count} webhook', '{count} webhooks'),
      }),
      advice: t('Nothing could be delivered for three days. Mend the receiver, then enable the webhook.'),
      isUrgent: false,
      link,
    }),
    ...problem(waits && failing === 0 ? 1 : 0, {
      title: t('Events have waited for over ten minutes to be delivered'),
      advice: t('Receivers are slow, or no replica delivers. Look into the log of the service.'),
      isUrgent: false,
      link,
    }),
  ];
}

const problem = (count: number, found: Problem): Problem[] => (count > 0 ? [found] : []);
