import { CounterCells } from '../telemetry/cells.js';

// One set of counters per process, because refusals are also sent by functions that are not in an injectable class.

export const EGRESS_RELEASES = new CounterCells(
  'gatehouse_egress_secret_releases_total',
  "Secrets that interns' requests named, by outcome: released, unknown, or unbound (not bound to the host).",
  'outcome',
  ['released', 'unknown', 'unbound'],
);

export const EGRESS_REFUSALS = new CounterCells(
  'gatehouse_egress_refusals_total',
  'Requests of interns that the egress proxy refused, by status.',
  'status',
  ['403', '407', '502', '503'],
);
