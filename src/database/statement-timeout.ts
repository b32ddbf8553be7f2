import type { Config } from '../config/config.js';

/** A statement's share of DATABASE_TIMEOUT_MS; the rest is for sending the response. */
const STATEMENT_SHARE = 0.8;

export const statementTimeoutMs = ({ values }: Config): number => values.DATABASE_TIMEOUT_MS * STATEMENT_SHARE;
