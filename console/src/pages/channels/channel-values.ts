import type { ChannelRecord, ChannelSettings } from '../../api/records';
import { changedMembers } from '../../format/changes';

/** The fields of the form. Maps are texts with one pair per line. */
export interface ChannelValues {
  readonly provider: string | null;
  readonly name: string;
  readonly key: string;
  readonly base_url: string;
  readonly region: string;
  readonly api_version: string;
  readonly headers: string;
  readonly secret_headers: string;
  readonly priority: number;
  readonly weight: number;
  readonly rpm: number | null;
  readonly tpm: number | null;
  readonly max_concurrent: number | null;
  readonly allowed_models: readonly string[];
  readonly denied_models: readonly string[];
  readonly model_names: string;
}

export const NEW_CHANNEL: ChannelValues = {
  provider: null,
  name: '',
  key: '',
  base_url: '',
  region: '',
  api_version: '',
  headers: '',
  secret_headers: '',
  priority: 0,
  weight: 1,
  rpm: null,
  tpm: null,
  max_concurrent: null,
  allowed_models: [],
  denied_models: [],
  model_names: '',
};

export const valuesOf = (channel: ChannelRecord): ChannelValues => ({
  ...NEW_CHANNEL,
  provider: channel.provider,
  name: channel.name ?? '',
  base_url: channel.base_url ?? '',
  region: channel.region ?? '',
  api_version: channel.api_version ?? '',
  headers: linesOf(channel.headers, ': '),
  priority: channel.priority,
  weight: channel.weight,
  rpm: channel.rpm,
  tpm: channel.tpm,
  max_concurrent: channel.max_concurrent,
  allowed_models: channel.allowed_models ?? [],
  denied_models: channel.denied_models,
  model_names: linesOf(channel.model_names, ' = '),
});

/** The settings of a request, without secrets. */
export const settingsOf = (values: ChannelValues): ChannelSettings => ({
  name: textOf(values.name),
  base_url: textOf(values.base_url),
  region: textOf(values.region),
  api_version: textOf(values.api_version),
  headers: pairsOf(values.headers, ':'),
  priority: values.priority,
  weight: values.weight,
  rpm: values.rpm,
  tpm: values.tpm,
  max_concurrent: values.max_concurrent,
  allowed_models: values.allowed_models.length > 0 ? [...values.allowed_models] : null,
  denied_models: [...values.denied_models],
  model_names: pairsOf(values.model_names, '='),
});

/** The differences from the earlier values. Only these are sent, so that changes by others are not overwritten. */
export const changesOf = (before: ChannelValues, after: ChannelValues): ChannelSettings =>
  changedMembers(settingsOf(before), settingsOf(after));

export const isAddressChanged = (before: ChannelValues, after: ChannelValues): boolean =>
  textOf(before.base_url) !== textOf(after.base_url);

/** A line without the separator is a name without a value, which the API refuses with a message. */
export function pairsOf(text: string, separator: ':' | '='): Record<string, string> {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return Object.fromEntries(
    lines.map((line) => {
      const at = line.indexOf(separator);
      return at < 0 ? [line.trim(), ''] : [line.slice(0, at).trim(), line.slice(at + 1).trim()];
    }),
  );
}

const linesOf = (pairs: Readonly<Record<string, string>>, separator: string): string =>
  Object.entries(pairs)
    .map(([name, value]) => `${name}${separator}${value}`)
    .join('\n');

const textOf = (text: string): string | null => text.trim() || null;
