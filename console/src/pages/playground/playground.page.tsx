import { SegmentedControl, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { callableModels } from '../../api/models';
import type { ModelRecord } from '../../api/records';
import { Loaded } from '../../components/loaded';
import { PageHeader } from '../../components/page-header';
import { ChatList } from './chat-list';
import { LanesForm } from './lanes-form';
import { MODES, type Mode } from './playground-search';
import { t } from '../../text/translate';

const MODE_WORDS: Readonly<Record<Mode, string>> = { chat: t('Chat'), image: t('Image'), speech: t('Speech') };

const OUTPUT: Readonly<Record<Mode, string>> = { chat: 'text', image: 'image', speech: 'audio' };

/** A conversation, images or speech from up to three models at once. */
export function PlaygroundPage(): ReactNode {
  const { mode = 'chat', talk } = useSearch({ from: '/playground' });
  const navigate = useNavigate({ from: '/playground' });
  const models = useQuery(callableModels);
  const current = useRef(talk);
  const [openings, setOpenings] = useState(0);
  // Opens the conversation that the address selects, unless `name` has set the address to the shown conversation.
  useEffect(() => {
    if (current.current === talk) return;
    current.current = talk;
    setOpenings((now) => now + 1);
  }, [talk]);
  const name = (id: string | undefined): void => {
    current.current = id;
    void navigate({ search: (now) => ({ ...now, talk: id }), replace: true, resetScroll: false });
  };
  const leave = (): void =>
    void navigate({ search: (now) => ({ ...now, talk: undefined }), replace: true, resetScroll: false });
  return (
    <Stack>
      <PageHeader
        title={t('Playground')}
        about={t('Calls are billed at API prices. The price is shown below each answer.')}
      >
        {mode === 'chat' && <ChatList current={talk} onForget={leave} />}
        <SegmentedControl
          aria-label={t('Kind')}
          data={MODES.map((name) => ({ value: name, label: MODE_WORDS[name] }))}
          value={mode}
          onChange={(value) => void navigate({ search: { mode: value } })}
        />
      </PageHeader>
      <Loaded query={models}>
        {(all) => (
          <LanesForm
            key={`${mode} ${openings}`}
            mode={mode}
            models={modelsFor(all, mode)}
            current={current}
            onName={name}
          />
        )}
      </Loaded>
    </Stack>
  );
}

/** Models that produce the mode's output from text. */
function modelsFor(models: readonly ModelRecord[], mode: Mode): ModelRecord[] {
  const isFit = ({ architecture: { input_modalities, output_modalities } }: ModelRecord): boolean =>
    output_modalities.includes(OUTPUT[mode]) && (input_modalities.length === 0 || input_modalities.includes('text'));
  return models.filter(isFit);
}
