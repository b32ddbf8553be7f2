import { api } from '../api/client';
import { forgetNames, nameOf, namesChanged } from './name-store';

const ID = '01a2245f-07ad-7738-a959-6071164d4fd7';
const OTHER_ID = '02a2245f-07ad-7738-a959-6071164d4fd7';
const BATCH_MS = 30;

/** Resolves after the waiting ids have been requested. */
const batch = () => new Promise((resolve) => setTimeout(resolve, BATCH_MS));

describe('the names of ids', () => {
  const { POST } = api;
  let requests: { readonly ids: readonly string[]; readonly respond: (name: string) => Promise<unknown> }[];

  beforeEach(() => {
    forgetNames();
    requests = [];
    const post = (_path: string, { body }: { body: { user_ids: string[] } }) => {
      const { promise, resolve } = Promise.withResolvers<unknown>();
      const users = (name: string) => body.user_ids.map((id) => ({ id, name, is_member: true }));
      const respond = (name: string) => {
        resolve({ data: { data: { api_keys: [], users: users(name), workspaces: [], interns: [] } } });
        return batch();
      };
      requests.push({ ids: body.user_ids, respond });
      return promise;
    };
    Object.assign(api, { POST: post });
  });
  afterEach(() => void Object.assign(api, { POST }));

  it('are requested once while a request for them is in progress', async () => {
    nameOf('users', ID);
    await batch();
    nameOf('users', ID);
    await batch();
    await requests[0]!.respond('Ada');

    expect(nameOf('users', ID)?.name).toBe('Ada');
    expect(requests).toHaveLength(1);
  });

  it('that are needed during a request are requested by the next request', async () => {
    nameOf('users', ID);
    await batch();
    nameOf('users', OTHER_ID);
    await batch();
    expect(requests).toHaveLength(1);

    await requests[0]!.respond('Ada');
    expect(requests.map(({ ids }) => ids)).toEqual([[ID], [OTHER_ID]]);
    await requests[1]!.respond('Bob');
  });

  it('are requested again after a change during the request', async () => {
    nameOf('users', ID);
    await batch();
    namesChanged();
    await requests[0]!.respond('Ada');
    nameOf('users', ID);
    await batch();
    await requests[1]!.respond('Countess');

    expect(nameOf('users', ID)?.name).toBe('Countess');
  });

  it('of an earlier session are dropped', async () => {
    nameOf('users', ID);
    await batch();
    forgetNames();
    await requests[0]!.respond('Ada');

    expect(nameOf('users', ID)).toBeUndefined();
    await batch();
    await requests[1]!.respond('Bob');
    expect(nameOf('users', ID)?.name).toBe('Bob');
  });
});
