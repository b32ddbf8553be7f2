import type { Resource } from '@opentelemetry/resources';
import { randomUUID } from 'node:crypto';
import { VERSION } from '../config/version.js';
import type { ConfigValues } from '../config/variables.js';

/** The attributes of this process in traces and OTLP metrics. */
export async function resourceOf(values: ConfigValues): Promise<Resource> {
  const { resourceFromAttributes } = await import('@opentelemetry/resources');
  return resourceFromAttributes({
    'service.version': VERSION,
    'service.instance.id': randomUUID(),
    ...values.OTEL_RESOURCE_ATTRIBUTES,
    'service.name': values.OTEL_SERVICE_NAME,
  });
}
