import { useMutation } from '@tanstack/react-query';
import { channelsChanged, ofChannel } from '../../api/channels';
import { api, body } from '../../api/client';
import type { ChannelTest } from '../../api/records';

interface Tested {
  readonly id: string;
  /** The model to call instead of reading the vendor's list of models. */
  readonly model?: string;
}

export interface ChannelTester {
  readonly test: (tested: Tested) => void;
  /** The credential that is being tested, or was tested last. */
  readonly tested: Tested | undefined;
  readonly isPending: boolean;
  readonly result: ChannelTest | undefined;
  readonly error: Error | null;
}

/** Tests whether vendors accept a credential, one test at a time. The last result is kept. */
export function useChannelTester(): ChannelTester {
  const testing = useMutation({
    mutationFn: async ({ id, model }: Tested): Promise<ChannelTest> => {
      const request = { ...ofChannel(id), body: model === undefined ? {} : { model } };
      return body(api.POST('/api/v1/providers/credentials/{id}/test', request));
    },
    // The test may have changed the state of the credential.
    onSettled: channelsChanged,
  });
  return {
    test: testing.mutate,
    tested: testing.variables,
    isPending: testing.isPending,
    result: testing.data,
    error: testing.error,
  };
}
