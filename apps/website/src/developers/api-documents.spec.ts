import { VitrineClient } from '@vitrine/client';
import { ApiDocuments } from './api-documents';

const DOCUMENT = {
  info: { title: 'The API', version: '1.0' },
  tags: [],
  paths: {},
  components: { schemas: {} },
};

describe('ApiDocuments', () => {
  let asked: number;
  let answer: () => Promise<Response>;
  const client = new VitrineClient({
    baseUrl: 'http://api.invalid/api/v1',
    retry: false,
    fetch: () => {
      asked++;
      return answer();
    },
  });
  const away = (): Promise<Response> => Promise.reject(new Error('away'));

  beforeEach(() => {
    asked = 0;
    answer = async () => Response.json(DOCUMENT);
    jest.useFakeTimers({ now: 0, doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
  });
  afterEach(() => jest.useRealTimers());

  it('fetches the document once for simultaneous requests, and again after five minutes', async () => {
    const documents = new ApiDocuments();
    const [first, second] = await Promise.all([documents.find(client), documents.find(client)]);
    expect([first.version, second, asked]).toEqual(['1.0', first, 1]);

    jest.advanceTimersByTime(299_000);
    expect(await documents.find(client)).toBe(first);
    jest.advanceTimersByTime(2_000);
    expect(await documents.find(client)).not.toBe(first);
    expect(asked).toBe(2);
  });

  it('keeps the previous document while the API is unavailable, and fetches it again afterwards', async () => {
    const documents = new ApiDocuments();
    const known = await documents.find(client);
    jest.advanceTimersByTime(301_000);
    answer = away;
    expect(await documents.find(client)).toBe(known);
    answer = async () => Response.json({ ...DOCUMENT, info: { title: 'The API', version: '1.1' } });
    expect((await documents.find(client)).version).toBe('1.1');
  });

  it('throws if no document could be fetched yet', async () => {
    answer = away;
    await expect(new ApiDocuments().find(client)).rejects.toMatchObject({ code: 'network' });
  });
});
