import { Button, Group, SegmentedControl, Select, SimpleGrid, Stack, Textarea, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo, useState, type SyntheticEvent, type ReactNode } from 'react';
import { callableModels } from '../../api/models';
import type { ModelRecord } from '../../api/records';
import { Loaded } from '../../components/loaded';
import { PageHeader } from '../../components/page-header';
import { sendOnEnter } from '../../components/send-on-enter';
import { useKeptFocus } from '../../components/use-kept-focus';
import { CallCode } from './call-code';
import { shownCall } from './exchange';
import { LaneView } from './lane-view';
import { ParameterFields } from './parameter-fields';
import { NO_PARAMETERS, readParameters } from './parameters';
import { MAX_MODELS, MODES, type Mode } from './playground-search';
import { useLanes } from './use-lanes';

const OUTPUT: Readonly<Record<Mode, string>> = { chat: 'text', image: 'image', speech: 'audio' };
const MAX_CHOICES = 100;

/** A conversation, pictures or speech of up to three models at once. */
export function PlaygroundPage(): ReactNode {
  const { mode = 'chat' } = useSearch({ from: '/playground' });
  const navigate = useNavigate({ from: '/playground' });
  const models = useQuery(callableModels);
  return (
    <Stack>
      <PageHeader
        title="Playground"
        about="Calls cost what they cost by the API. The price is shown below each answer."
      >
        <SegmentedControl
          aria-label="Kind"
          data={MODES.map((name) => ({ value: name, label: name[0]!.toUpperCase() + name.slice(1) }))}
          value={mode}
          onChange={(value) => void navigate({ search: { mode: value } })}
        />
      </PageHeader>
      <Loaded query={models}>{(all) => <Lanes key={mode} mode={mode} models={modelsFor(all, mode)} />}</Loaded>
    </Stack>
  );
}

/** Models that produce the mode's output from text. */
function modelsFor(models: readonly ModelRecord[], mode: Mode): ModelRecord[] {
  const isFit = ({ architecture: { input_modalities, output_modalities } }: ModelRecord): boolean =>
    output_modalities.includes(OUTPUT[mode]) && (input_modalities.length === 0 || input_modalities.includes('text'));
  return models.filter(isFit);
}

interface LanesProps {
  readonly mode: Mode;
  readonly models: readonly ModelRecord[];
}

function Lanes({ mode, models }: LanesProps): ReactNode {
  const search = useSearch({ from: '/playground' });
  const navigate = useNavigate({ from: '/playground' });
  const [prompt, setPrompt] = useState('');
  const [system, setSystem] = useState('');
  const [fields, setFields] = useState(NO_PARAMETERS);
  const [ownVoice, setVoice] = useState<string | null>(null);
  const chosen = search.models ?? (models[0] ? [models[0].id] : []);
  const voices = models.find(({ id }) => id === chosen[0])?.supported_voices ?? [];
  const voice = ownVoice ?? voices[0] ?? 'alloy';
  const lanes = useLanes(chosen);
  const { isRunning } = lanes;
  const { json: parameters, faults } = useMemo(() => readParameters(fields), [fields]);
  const isFaulty = Object.keys(faults).length > 0;
  const exchanges = lanes.shown[0] ? lanes.exchangesOf(lanes.shown[0]) : [];
  const button = useKeptFocus(isRunning);

  const choose = (ids: string[]): void => void navigate({ search: { mode, models: ids }, replace: true });
  const send = (): void => {
    if (isRunning || isFaulty || prompt.trim() === '') return;
    lanes.shown.forEach((lane) => lanes.send(lane, { mode, prompt, system, voice, parameters }));
    if (mode === 'chat') setPrompt('');
  };
  const remove = (at: number): void => {
    lanes.remove(at);
    choose(chosen.toSpliced(at, 1));
  };
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    send();
  };
  return (
    <Stack>
      <ModelChoice models={models} chosen={chosen} onChange={choose} onRemove={remove} />
      <SimpleGrid cols={{ base: 1, md: Math.max(chosen.length, 1) }}>
        {lanes.shown.map((lane) => (
          <LaneView key={lane.id} model={lane.model} exchanges={lanes.exchangesOf(lane)} />
        ))}
      </SimpleGrid>
      <form onSubmit={submit}>
        <Stack gap="xs">
          {mode === 'chat' && (
            <>
              <TextInput
                label="System prompt"
                value={system}
                onChange={(event) => setSystem(event.currentTarget.value)}
              />
              <ParameterFields
                values={fields}
                faults={faults}
                onChange={(part) => setFields((now) => ({ ...now, ...part }))}
              />
            </>
          )}
          {mode === 'speech' && <VoiceField voices={voices} voice={voice} onChange={setVoice} />}
          <Textarea
            label={mode === 'speech' ? 'Text' : 'Prompt'}
            description="Enter sends, Shift+Enter begins a line."
            autosize
            minRows={2}
            maxRows={12}
            value={prompt}
            onChange={(event) => setPrompt(event.currentTarget.value)}
            onKeyDown={sendOnEnter(send)}
          />
          <Group>
            <Button ref={button} type="submit" disabled={chosen.length === 0 || isFaulty} loading={isRunning}>
              Send
            </Button>
            {isRunning && (
              <Button variant="default" onClick={lanes.stop}>
                Stop
              </Button>
            )}
            <Button variant="default" onClick={lanes.clear} disabled={isRunning}>
              Clear
            </Button>
          </Group>
        </Stack>
      </form>
      {chosen[0] && (
        <CallCode call={shownCall({ mode, model: chosen[0], prompt, system, voice, parameters, before: exchanges })} />
      )}
    </Stack>
  );
}

interface VoiceFieldProps {
  readonly voices: readonly string[];
  readonly voice: string;
  readonly onChange: (voice: string) => void;
}

function VoiceField({ voices, voice, onChange }: VoiceFieldProps): ReactNode {
  if (voices.length === 0)
    return <TextInput label="Voice" value={voice} onChange={(event) => onChange(event.currentTarget.value)} />;
  return (
    <Select
      label="Voice"
      data={voices}
      value={voice}
      onChange={(value) => value && onChange(value)}
      allowDeselect={false}
      maw={240}
    />
  );
}

interface ModelChoiceProps {
  readonly models: readonly ModelRecord[];
  readonly chosen: readonly string[];
  readonly onChange: (ids: string[]) => void;
  readonly onRemove: (at: number) => void;
}

function ModelChoice({ models, chosen, onChange, onRemove }: ModelChoiceProps): ReactNode {
  const ids = [...new Set([...chosen, ...models.map(({ id }) => id)])];
  const next = ids.find((id) => !chosen.includes(id));
  return (
    <Group align="flex-end" gap="xs">
      {chosen.map((model, at) => (
        <Group key={at} gap={4} align="flex-end" wrap="nowrap">
          <Select
            label={`Model ${at + 1}`}
            data={ids}
            limit={MAX_CHOICES}
            value={model}
            onChange={(id) => id && onChange(chosen.with(at, id))}
            searchable
            allowDeselect={false}
          />
          {chosen.length > 1 && (
            <Button variant="default" aria-label={`Remove ${model}`} onClick={() => onRemove(at)}>
              ×
            </Button>
          )}
        </Group>
      ))}
      {chosen.length < MAX_MODELS && next && (
        <Button variant="default" onClick={() => onChange([...chosen, next])}>
          Compare
        </Button>
      )}
    </Group>
  );
}
