/** Checks something that the service needs to serve requests. */
export interface ReadinessProbe {
  readonly name: string;
  isReady(): Promise<boolean>;
}

/** The injection token of the probes that /readyz runs. */
export const READINESS_PROBES = Symbol('READINESS_PROBES');
