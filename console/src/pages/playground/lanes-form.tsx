import { SimpleGrid, Stack } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo, useState, type DragEvent, type ReactNode, type RefObject } from 'react';
import type { ModelRecord } from '../../api/records';
import { newTalkId } from '../../talks/kept-store';
import { useKept } from '../../talks/use-kept';
import { useAttachments, type Attachments } from './attachment-field';
import { faultOf } from './attachments';
import { CallCode } from './call-code';
import { filesOf, shownCall, type PlaygroundCall } from './exchange';
import { chatOf, keepChat } from './kept-chats';
import { LaneView } from './lane-view';
import { ModelChoice } from './model-fields';
import { NO_PARAMETERS, readParameters } from './parameters';
import type { Mode } from './playground-search';
import { PromptForm, type Draft } from './prompt-form';
import { useLanes } from './use-lanes';

interface LanesFormProps {
  readonly mode: Mode;
  readonly models: readonly ModelRecord[];
  /** The id of the conversation that the page shows; undefined = it has no id yet. */
  readonly current: RefObject<string | undefined>;
  /** Sets the id of the shown conversation; undefined = a new one starts. */
  readonly onName: (id: string | undefined) => void;
}

/** The lanes of the models side by side, and a form that sends one prompt to all of them. */
export function LanesForm({ mode, models, current, onName }: LanesFormProps): ReactNode {
  const search = useSearch({ from: '/playground' });
  const navigate = useNavigate({ from: '/playground' });
  const [kept] = useState(() => (mode === 'chat' ? chatOf(current.current) : undefined));
  const [draft, setDraft] = useState<Draft>({
    prompt: '',
    system: kept?.system ?? '',
    fields: kept?.fields ?? NO_PARAMETERS,
    voice: null,
  });
  const attachments = useAttachments();
  const chosen = useMemo(
    () => search.models ?? kept?.models ?? models.slice(0, 1).map(({ id }) => id),
    [search.models, kept, models],
  );
  const records = chosen.flatMap((id) => models.find((model) => model.id === id) ?? []);
  const lanes = useLanes(chosen, kept?.lanes ?? []);
  const { isRunning, histories, shown } = lanes;
  const { prompt, system, fields } = draft;
  const { json: parameters, faults } = useMemo(() => readParameters(fields), [fields]);
  const chat = useMemo(
    () => ({ models: chosen, system, fields, lanes: histories }),
    [chosen, system, fields, histories],
  );
  const keepNow = useKept(chat, (now) => {
    const id = current.current;
    return mode === 'chat' && id !== undefined ? () => keepChat(id, now) : undefined;
  });
  const given = {
    mode,
    prompt,
    attachments: attachments.attached,
    system,
    voice: draft.voice ?? records[0]?.supported_voices?.[0] ?? 'alloy',
    parameters,
  };
  const calls = shown.map((lane): PlaygroundCall => ({ ...given, model: lane.model, before: lanes.exchangesOf(lane) }));
  const fileFault = mode === 'chat' ? fileFaultOf(calls, records) : undefined;
  const canSend = chosen.length > 0 && Object.keys(faults).length === 0 && fileFault === undefined;

  const choose = (ids: string[]): void =>
    void navigate({ search: (now) => ({ ...now, models: ids }), replace: true, resetScroll: false });
  const send = (): void => {
    if (isRunning || !canSend || (prompt.trim() === '' && given.attachments.length === 0)) return;
    if (mode === 'chat' && current.current === undefined) onName(newTalkId());
    shown.forEach((lane) => lanes.send(lane, given));
    if (mode !== 'chat') return;
    setDraft((now) => ({ ...now, prompt: '' }));
    attachments.clear();
  };
  const remove = (at: number): void => {
    lanes.release(at);
    choose(chosen.toSpliced(at, 1));
  };
  const clear = (): void => {
    keepNow();
    lanes.clear();
    onName(undefined);
  };
  return (
    <Stack {...(mode === 'chat' ? dropping(attachments) : {})}>
      <ModelChoice models={models} chosen={chosen} onChange={choose} onRemove={remove} />
      <SimpleGrid cols={{ base: 1, md: Math.max(chosen.length, 1) }}>
        {shown.map((lane) => (
          <LaneView
            key={lane.id}
            model={lane.model}
            exchanges={lanes.exchangesOf(lane)}
            isCompared={shown.length > 1}
          />
        ))}
      </SimpleGrid>
      <PromptForm
        mode={mode}
        models={records}
        draft={draft}
        onChange={(part) => setDraft((now) => ({ ...now, ...part }))}
        voice={given.voice}
        attachments={attachments}
        faults={faults}
        fileFault={fileFault}
        isRunning={isRunning}
        canSend={canSend}
        onSend={send}
        onStop={lanes.stop}
        onClear={clear}
      />
      {calls[0] && <CallCode call={shownCall(calls[0])} />}
    </Stack>
  );
}

/** The first problem with the files of the calls; undefined = none. */
function fileFaultOf(calls: readonly PlaygroundCall[], models: readonly ModelRecord[]): string | undefined {
  return calls.map((call) => faultOf(call.attachments, filesOf({ ...call, attachments: [] }), models)).find(Boolean);
}

/** Adds files that are dropped on the page. By default a browser would open them instead of the page. */
const dropping = ({ add }: Attachments) => ({
  onDragOver: (event: DragEvent): void => {
    if (event.dataTransfer.types.includes('Files')) event.preventDefault();
  },
  onDrop: (event: DragEvent): void => {
    if (event.dataTransfer.files.length === 0) return;
    event.preventDefault();
    add([...event.dataTransfer.files]);
  },
});
