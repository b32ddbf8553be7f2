import { Button, Group, Stack, Textarea, TextInput } from '@mantine/core';
import type { ClipboardEvent, ReactNode, SyntheticEvent } from 'react';
import type { ModelRecord } from '../../api/records';
import { sendOnEnter } from '../../components/send-on-enter';
import { useKeptFocus } from '../../components/use-kept-focus';
import { AttachmentField, type Attachments } from './attachment-field';
import { VoiceField } from './model-fields';
import { ParameterFields } from './parameter-fields';
import type { ParameterFields as Fields, ReadParameters } from './parameters';
import type { Mode } from './playground-search';
import { t } from '../../text/translate';

/** The input that is typed but not sent yet. */
export interface Draft {
  readonly prompt: string;
  readonly system: string;
  readonly fields: Fields;
  /** Null = the model's first voice. */
  readonly voice: string | null;
}

interface PromptFormProps {
  readonly mode: Mode;
  /** The chosen models. */
  readonly models: readonly ModelRecord[];
  readonly draft: Draft;
  readonly onChange: (part: Partial<Draft>) => void;
  readonly voice: string;
  readonly attachments: Attachments;
  /** The errors of the parameters. */
  readonly faults: ReadParameters['faults'];
  /** The problem of the files. */
  readonly fileFault: string | undefined;
  readonly isRunning: boolean;
  readonly canSend: boolean;
  readonly onSend: () => void;
  readonly onStop: () => void;
  readonly onClear: () => void;
}

export function PromptForm(props: PromptFormProps): ReactNode {
  const { mode, models, draft, onChange, voice, attachments, faults, fileFault, isRunning, canSend } = props;
  const { onSend, onStop, onClear } = props;
  const button = useKeptFocus(isRunning);
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    onSend();
  };
  const paste = (event: ClipboardEvent): void => {
    const { files } = event.clipboardData;
    if (mode !== 'chat' || files.length === 0) return;
    event.preventDefault();
    attachments.add([...files]);
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="xs">
        {mode === 'chat' && (
          <>
            <TextInput
              label={t('System prompt')}
              value={draft.system}
              onChange={(event) => onChange({ system: event.currentTarget.value })}
            />
            <ParameterFields
              values={draft.fields}
              faults={faults}
              onChange={(part) => onChange({ fields: { ...draft.fields, ...part } })}
            />
          </>
        )}
        {mode === 'speech' && (
          <VoiceField
            voices={models[0]?.supported_voices ?? []}
            voice={voice}
            onChange={(chosen) => onChange({ voice: chosen })}
          />
        )}
        <Textarea
          label={mode === 'speech' ? t('Text') : t('Prompt')}
          description={t('Enter sends, Shift+Enter begins a line.')}
          autosize
          minRows={2}
          maxRows={12}
          value={draft.prompt}
          onChange={(event) => onChange({ prompt: event.currentTarget.value })}
          onKeyDown={sendOnEnter(onSend)}
          onPaste={paste}
        />
        {mode === 'chat' && <AttachmentField models={models} attachments={attachments} fault={fileFault} />}
        <Group>
          <Button ref={button} type="submit" disabled={!canSend} loading={isRunning}>
            {t('Send')}
          </Button>
          {isRunning && (
            <Button variant="default" onClick={onStop}>
              {t('Stop')}
            </Button>
          )}
          <Button variant="default" onClick={onClear} disabled={isRunning}>
            {mode === 'chat' ? t('New conversation') : t('Clear')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
