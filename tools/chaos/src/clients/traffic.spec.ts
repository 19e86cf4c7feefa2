import { setTimeout as pause } from 'node:timers/promises';
import { SampleFiles } from './sample-files';
import { Traffic, type TrafficOptions } from './traffic';

const ADDRESSES = {
  api: 'http://api.test/api/v1',
  upload: 'http://upload.test/api/v1/media',
  site: 'http://site.test',
};

/** A Vitrine of the requests below. Visitors get 404 for a post whose media item is deleted. */
class FakeVitrine {
  private count = 0;
  private readonly deleted = new Set<number>();
  /** The media item of each post. */
  private readonly posts = new Map<string, number>();

  constructor(private readonly losesPosts: boolean) {}

  readonly fetch = (input: Parameters<typeof fetch>[0], init?: RequestInit): Promise<Response> => {
    const request = `${init?.method ?? 'GET'} ${String(input)}`;
    const id = Number(/\/[mp](\d+)$/.exec(request)?.[1]);
    if (request.endsWith('/register')) return answer({ data: {}, session: 'vts_a' });
    if (request.endsWith('/tokens')) return answer({ data: {}, token: 'vtr_a' });
    if (request === `POST ${ADDRESSES.upload}`) {
      this.count++;
      return answer({ media: { id: this.count, slug: `m${this.count}`, urls: {} } });
    }
    if (request === `POST ${ADDRESSES.api}/posts`) {
      const { media_ids } = JSON.parse(init?.body as string) as { readonly media_ids: readonly [number] };
      const slug = `p${this.posts.size + 1}`;
      this.posts.set(slug, media_ids[0]);
      return answer({ post: { slug } });
    }
    if (request.startsWith('DELETE')) {
      this.deleted.add(id);
      return answer({});
    }
    const item = request.includes('/m/')
      ? id
      : request.includes('/p/')
        ? this.posts.get(`p${id}`)
        : undefined;
    const isLost = this.losesPosts && request.includes('/p/');
    return isLost || (item !== undefined && this.deleted.has(item)) ? answer({}, 404) : answer({});
  };
}

const answer = (body: object, status = 200): Promise<Response> =>
  Promise.resolve(Response.json(body, { status }));

async function startTraffic(losesPosts: boolean, options: Omit<TrafficOptions, 'seed'>): Promise<Traffic> {
  jest.spyOn(globalThis, 'fetch').mockImplementation(new FakeVitrine(losesPosts).fetch);
  const traffic = await Traffic.create(ADDRESSES, { ...options, seed: 1 });
  traffic.start();
  return traffic;
}

describe('Traffic', () => {
  beforeEach(() => {
    const file = { name: 'a.png', bytes: Buffer.from('a'), decodable: true };
    jest.spyOn(SampleFiles, 'create').mockResolvedValue(Object.create(SampleFiles.prototype) as SampleFiles);
    jest.spyOn(SampleFiles.prototype, 'next').mockResolvedValue(file);
  });
  afterEach(() => jest.restoreAllMocks());

  const readers: Pick<TrafficOptions, 'groups'> = {
    groups: [{ mix: { upload: 1, 'make post': 1, page: 8 }, pace: { clients: 1, maxRestMs: 0 } }],
  };
  /** Runs the traffic until a page was answered 404. Returns the violations. */
  const violationsOf = async (traffic: Traffic): Promise<readonly string[]> => {
    const { outcomes, violations } = traffic.ledger;
    const deadline = Date.now() + 60_000;
    while (!outcomes.has('page 404') && Date.now() < deadline) await pause(1);
    await traffic.stop();
    expect([...outcomes.keys()]).toContain('page 404');
    return violations;
  };

  it('excuses 404 for the page of a post whose media item was deleted', async () => {
    const traffic = await startTraffic(false, { ...readers, keep: { media: 1, posts: 100 } });

    expect(await violationsOf(traffic)).toEqual([]);
  });

  it('reports 404 for the page of any other post', async () => {
    const traffic = await startTraffic(true, readers);

    expect((await violationsOf(traffic))[0]).toBe('A request (page) was answered 404');
  });

  it('uploads no more while as many uploads as allowed wait to be processed', async () => {
    const traffic = await startTraffic(false, {
      groups: [{ mix: { upload: 1 }, pace: { clients: 1, maxRestMs: 0 } }],
      maxUnprocessed: 3,
    });
    await traffic.untilAccepted(3);
    expect(await traffic.isBehind()).toBe(true);
    await traffic.stop();

    expect(traffic.ledger.entries).toHaveLength(3);
  });

  it('throws the error of a client instead of waiting for uploads', async () => {
    const error = new Error('The file can’t be made');
    jest.spyOn(SampleFiles.prototype, 'next').mockRejectedValue(error);
    const traffic = await startTraffic(false, {
      groups: [{ mix: { upload: 1 }, pace: { clients: 2, maxRestMs: 0 } }],
    });

    await expect(traffic.untilAccepted(1)).rejects.toBe(error);
    await expect(traffic.stop()).rejects.toBe(error);
  });
});
