import { QueryObserver } from '@tanstack/react-query';
import { queries } from './queries';

describe('the queries of the console', () => {
  it('fetch data again after a change during the first fetch', async () => {
    const answers = [Promise.withResolvers<string>(), Promise.withResolvers<string>()];
    let fetches = 0;
    const queryFn = () => answers[fetches++]!.promise;
    const observer = new QueryObserver(queries, { queryKey: ['list'], queryFn });
    const end = observer.subscribe(() => undefined);

    const changed = queries.invalidateQueries({ queryKey: ['list'] });
    answers[0]!.resolve('before the change');
    answers[1]!.resolve('after the change');
    await changed;

    expect(observer.getCurrentResult().data).toBe('after the change');
    end();
  });
});
