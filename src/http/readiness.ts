/** Something the service cannot serve without. */
export interface ReadinessProbe {
  readonly name: string;
  isReady(): Promise<boolean>;
}

/** The array of probes that /readyz asks, given by the composition. */
export const READINESS_PROBES = Symbol('READINESS_PROBES');
